# Writes files as arrays of bytes: cmake -DOUT=FILE.c -Ddescriptor_set=FILE -Dstatus_page=FILE -P embed.cmake
set(text "#include \"daemon/built_in.h\"\n")
foreach(name descriptor_set status_page)
  file(READ ${${name}} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes
         "${bytes}")
  string(APPEND text "\nconst unsigned char ${name}[] = {\n${bytes}\n};\nconst size_t ${name}_size = sizeof ${name};\n")
endforeach()
file(WRITE ${OUT} "${text}")
