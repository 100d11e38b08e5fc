/* recipe_graph - functions of stages in the bytes of datasets: graphs as StableHLO. See recipe.h. */

#include "input/recipe.h"

#include <string.h>

#include "moonpod/exchange.h"

/* Takes the places of operations out of the text of a graph. */
static void drop_places(char *text)
{
    char *to = text;
    while (*text != '\0') {
        if (strncmp(text, " loc(", 5) != 0) {
            *to++ = *text++;
            continue;
        }
        bool quoted = false;
        int open = 0;
        for (; *text != '\0'; text++) {
            quoted = *text == '"' && text[-1] != '\\' ? !quoted : quoted;
            open += quoted ? 0 : (*text == '(') - (*text == ')');
            if (*text == ')' && open == 0 && !quoted) {
                text++;
                break;
            }
        }
    }
    *to = '\0';
}

void pod_input_recipe_graph(pod_recipe *recipe, const pod_graph *from, pod_graph **graph)
{
    char *written = NULL;
    if (recipe->from != NULL && recipe->status == POD_OK)
        recipe->status = pod_exchange_write(from, &written, recipe->error);
    if (recipe->sum != NULL && written != NULL)
        drop_places(written);
    const char *text = written != NULL ? written : "";
    pod_input_recipe_text(recipe, &text);
    pod_text_free(recipe->context, written);
    if (recipe->from != NULL)
        return;
    *graph = NULL;
    pod_exchange_module *module;
    if (recipe->status != POD_OK)
        return;
    recipe->status =
        pod_exchange_read(recipe->context, text, strlen(text), "the pipeline's function", &module, recipe->error);
    if (recipe->status != POD_OK)
        return;
    *graph = pod_exchange_take_graph(module);
    pod_exchange_free(module);
}
