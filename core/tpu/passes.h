#ifndef POD_TPU_PASSES_H
#define POD_TPU_PASSES_H

/*
 * passes - what makes a plan of a graph, in the order of passes.def. Each pass is a file with one entry function, which
 * reads what passes before it have decided. All return false where there is no memory, or have set the error of the
 * lowering.
 */

#include "tpu/lowering.h"

/* ---- the graph --------------------------------------------------------------------------------------------------- */

/* Reads `from`; makes of it the ir of what the compiler keeps: equal nodes merged, dead ones dropped, copies of
 * operands where it makes them (node_rewrite.c, turned.c), loops that carry once what they carry twice. Finds who reads
 * what. */
bool pod_tpu_pass_read(pod_tpu_lowering *lowering);

/* Reads the graph's aliases; decides which parameters' buffers outputs take over, and whether the program trains. */
bool pod_tpu_pass_donations(pod_tpu_lowering *lowering);

/* ---- what is stored -----------------------------------------------------------------------------------------------
 */

/* Reads transposes between dots; decides which of them are copies, and stores what those read and make. */
bool pod_tpu_pass_permutes(pod_tpu_lowering *lowering);

/* Reads which queries, keys and values are copied, and sums that begin with patches; decides which residual streams lie
 * as the convolution made them. */
bool pod_tpu_pass_tokens(pod_tpu_lowering *lowering);

/* Reads convolutions, pooling and what lies between them; decides what lies as activations do, and as their pixels. */
bool pod_tpu_pass_activations(pod_tpu_lowering *lowering);

/* Reads the ops and what lies as activations; stores what ops make in memory, what ops read from it, and outputs. */
bool pod_tpu_pass_results(pod_tpu_lowering *lowering);

/* Reads the copies that the first pass made for gradients that lie the other way round; stores them. */
bool pod_tpu_pass_turned(pod_tpu_lowering *lowering);

/* Reads who reads what; finds the values from which outputs alone are computed, an element from an element. */
bool pod_tpu_pass_outputs(pod_tpu_lowering *lowering);

/* Reads what lies between two convolutions; finds what each has before it in its kernel, and which are pairs. */
bool pod_tpu_pass_links(pod_tpu_lowering *lowering);

/* Reads all of that; decides what is stored in the place of each product, with its masks and scores: after its
 * epilogue, before it, or nothing where its reader computes it. */
bool pod_tpu_pass_products(pod_tpu_lowering *lowering);

/* Reads what only outputs are computed from; does not store such products: the update is their kernel. */
bool pod_tpu_pass_updates(pod_tpu_lowering *lowering);

/* Reads what several products read; decides which elementwise operands are stored for them. */
bool pod_tpu_pass_shared(pod_tpu_lowering *lowering);

/* Reads all that is stored; decides which of the rest is stored as several kernels would move more bytes otherwise. */
bool pod_tpu_pass_anew(pod_tpu_lowering *lowering);

/* Reads broadcasts; stores what they spread over many elements. */
bool pod_tpu_pass_spread(pod_tpu_lowering *lowering);

/* Reads all that is stored; stores what would be computed anew from too many ops. */
bool pod_tpu_pass_heavy(pod_tpu_lowering *lowering);

/* ---- how it lies --------------------------------------------------------------------------------------------------
 */

/* Reads the bodies of loops; finds what they do not change, and what they let products alone read. */
bool pod_tpu_pass_loops(pod_tpu_lowering *lowering);

/* Reads lookups and scattered sums; decides which tables are copied, and where their updates are computed. */
bool pod_tpu_pass_tables(pod_tpu_lowering *lowering);

/* Reads dots and what is stored; decides what lies as batches of matrices. */
bool pod_tpu_pass_matrices(pod_tpu_lowering *lowering);

/* Reads all marks; decides the element type, layout and bytes of all that is stored. */
bool pod_tpu_pass_layouts(pod_tpu_lowering *lowering);

/* ---- kernels ------------------------------------------------------------------------------------------------------
 */

/* Reads sums over cores and their bytes; decides which are exchanged at once. */
bool pod_tpu_pass_exchanges(pod_tpu_lowering *lowering);

/* Reads what is stored; decides what is computed together: `leaders`. */
bool pod_tpu_pass_joins(pod_tpu_lowering *lowering);

/* Reads that; makes the kernels: what each reads, makes, computes and needs for its own step. */
bool pod_tpu_pass_kernels(pod_tpu_lowering *lowering);

/* Reads the kernels; decides their order, and so how long each value lives. */
bool pod_tpu_pass_kernel_order(pod_tpu_lowering *lowering);

/* ---- where it lies ------------------------------------------------------------------------------------------------
 */

/* Reads the order; decides which loops and updates work in the buffers of their operands. */
bool pod_tpu_pass_take_over(pod_tpu_lowering *lowering);

/* Reads the order and what kernels compute; decides what lies near the cores. */
bool pod_tpu_pass_on_chip(pod_tpu_lowering *lowering);

/* Reads what is in HBM; decides which results take over the buffer of an operand that ends there. */
bool pod_tpu_pass_overwrites(pod_tpu_lowering *lowering);

/* Reads what is left; decides where in the heap it lies, and how large that is. */
bool pod_tpu_pass_heap(pod_tpu_lowering *lowering);

#endif
