#include "replicate/forms.h"
#include "base/sizes.h"

#include <assert.h>
#include <string.h>

bool pod_replicate_form_equal(const pod_form *a, const pod_form *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == POD_FORM_JOINED)
        return a->axis == b->axis && a->multiplier == b->multiplier;
    return a->kind == POD_FORM_UNIFORM || memcmp(a->rows, b->rows, sizeof a->rows) == 0;
}

bool pod_replicate_form_same_rows(const pod_form *form, int32_t axis, int64_t multiplier, const pod_shape *shape)
{
    int32_t low = form->axis < axis ? form->axis : axis;
    int32_t high = form->axis < axis ? axis : form->axis;
    if (low == high)
        return multiplier == form->multiplier;
    for (int32_t k = low; k < high; k++)
        if (shape->dims[k] != 1)
            return false;
    return multiplier != 0 && shape->dims[form->axis] == form->multiplier && shape->dims[axis] == multiplier;
}

void pod_replicate_form_rows(const pod_form *form, int64_t rows[POD_MAX_RANK])
{
    memset(rows, 0, POD_MAX_RANK * sizeof *rows);
    if (form->kind == POD_FORM_STACKED)
        memcpy(rows, form->rows, POD_MAX_RANK * sizeof *rows);
    if (form->kind == POD_FORM_JOINED)
        rows[form->axis] = form->multiplier;
}

bool pod_replicate_form_has_rows(const pod_form *form)
{
    int64_t rows[POD_MAX_RANK];
    pod_replicate_form_rows(form, rows);
    for (int32_t k = 0; k < POD_MAX_RANK; k++)
        if (rows[k] != 0)
            return true;
    return false;
}

pod_form pod_replicate_form_merge(const pod_form *a, const pod_form *b)
{
    if (a->kind == POD_FORM_UNIFORM && b->kind == POD_FORM_UNIFORM)
        return POD_UNIFORM_FORM;
    if (a->kind == POD_FORM_JOINED && b->kind != POD_FORM_STACKED &&
        (b->kind == POD_FORM_UNIFORM || pod_replicate_form_equal(a, b)))
        return *a;
    if (b->kind == POD_FORM_JOINED && a->kind == POD_FORM_UNIFORM)
        return *b;
    pod_form merged = POD_STACKED_FORM;
    int64_t rows_a[POD_MAX_RANK], rows_b[POD_MAX_RANK];
    pod_replicate_form_rows(a, rows_a);
    pod_replicate_form_rows(b, rows_b);
    for (int32_t k = 0; k < POD_MAX_RANK; k++)
        merged.rows[k] = rows_a[k] ? rows_a[k] : rows_b[k];
    return merged;
}

int64_t pod_replicate_shards_nonempty(const pod_shards *shards)
{
    if (shards->chunk == 0)
        return shards->replicas;
    return pod_part_count(shards->rows, shards->full);
}

int64_t pod_replicate_shards_all_nonempty(const pod_shards *shards)
{
    return shards->chunk == 0 ? shards->all_replicas : pod_part_count(shards->all_rows, shards->full);
}

int64_t pod_replicate_shards_length(const pod_shards *shards, int64_t replica)
{
    assert(shards->full <= shards->chunk && replica < shards->replicas);
    int64_t left = shards->rows - replica * shards->full;
    if (left < 0)
        return 0;
    return left < shards->full ? left : shards->full;
}
