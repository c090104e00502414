/* The only C++ of the project: it hands a parsed document to a C visitor and lets no exception out. */
#include "daemon/toml.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

static void visit_node(const toml::node &node, const std::string &key, long index, toml_visit *visit, void *context)
{
    toml_item item{};
    item.key = key.c_str();
    item.index = index;
    item.line = node.source().begin.line;
    item.kind = node.is_table()            ? TOML_TABLE
                : node.is_array()          ? TOML_ARRAY
                : node.is_string()         ? TOML_STRING
                : node.is_integer()        ? TOML_INTEGER
                : node.is_boolean()        ? TOML_BOOLEAN
                : node.is_floating_point() ? TOML_REAL
                                           : TOML_TIME;
    if (auto s = node.as_string()) item.text = s->get().c_str(), item.length = s->get().size();
    if (auto i = node.as_integer()) item.integer = i->get();
    if (auto b = node.as_boolean()) item.integer = b->get();
    if (auto a = node.as_array()) item.length = a->size();
    visit(context, &item);
    if (auto a = node.as_array())
        for (size_t i = 0; i < a->size(); i++) visit_node((*a)[i], key, (long)i, visit, context);
    if (auto t = node.as_table())
        for (auto &&[name, child] : *t) {
            std::string part(name.str());
            if (part.find('.') != part.npos) part = '"' + part + '"';
            visit_node(child, key.empty() ? part : key + "." + part, -1, visit, context);
        }
}

bool toml_read(const char *text, size_t size, toml_visit *visit, void *context, unsigned *line, char *message,
               size_t message_size)
try {
    toml::parse_result result = toml::parse(std::string_view(text, size));
    if (!result) {
        *line = result.error().source().begin.line;
        snprintf(message, message_size, "%s", std::string(result.error().description()).c_str());
        return false;
    }
    visit_node(result.table(), "", -1, visit, context);
    return true;
} catch (...) {
    *line = 0;
    snprintf(message, message_size, "no memory");
    return false;
}
