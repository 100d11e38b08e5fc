#ifndef POD_COMPILE_LOWER_H
#define POD_COMPILE_LOWER_H

/*
 * lower - from an ir to instructions over slots. lower.c makes a function, lower_stages.c goes through its loops and
 * single nodes; the other files lower_*.c add what one of these becomes. A function here that returns false has kept
 * the error.
 */

#include "compile/fusion.h"
#include "compile/lowered.h"

/* Rows that a partial sum is made of at least, and those of a piece of a product. */
#define POD_PARTIAL_ROWS 32

/* Adds the instruction for a node by its reference kernel; results get slots of their own. With another slot as operand
 * 0, or with one more result, where these are not POD_SLOT_END. */
bool pod_lower_kernel(pod_lowered *function, const pod_ir_node *node, uint32_t operand, uint32_t result);

/* Keeps a constant as a literal, or fills it in each time when it is a large repetition. */
bool pod_lower_constant(pod_lowered *function, const pod_ir_node *node);

/* cond, while, reduce, check, print. */
bool pod_lower_control(pod_lowered *function, const pod_ir_node *node);

/* Makes the function of an ir whose parameter i lies in parameters[i]. outputs[i] receives the slot of
 * output i: targets[i] where that is not POD_SLOT_END (whole once the function has run), else any. */
pod_function *pod_lower_function(pod_lowering *lowering, const pod_ir *ir, const uint32_t *parameters,
                                 const uint32_t *targets, uint32_t *outputs);

/* Lowers the ir of a function loop by loop, in the order of stages. */
bool pod_lower_stages(pod_lowered *function);

/* Lets instructions write outputs that update parameters over the old values where that is safe. Targets
 * and outputs are slots. */
bool pod_compile_place_in_place(pod_lowered *function, const uint32_t *targets, const uint32_t *outputs);

/* Lets loops that make operands of products pack them, in the place of instructions of their own. Those of `entry`,
 * NULL for regions, pack before a run what loops then keep packed. */
bool pod_compile_attach_packs(pod_lowered *function, pod_lowered *entry);

/* Takes what is made of held arguments alone to `entry`: see take_held.c. */
bool pod_compile_take_held(pod_lowered *function, pod_lowered *entry);

/* The slot of a value that is stored: its own, or a view of its base. */
uint32_t pod_compile_value_slot(pod_lowered *function, const pod_fusion *fusion, pod_ref value);

/* The code of loop `number` with these nodes, in order; NULL when there is no memory. Nodes of a product read
 * its tile. */
pod_loop *pod_compile_make_loop(pod_lowered *function, const pod_fusion *fusion, uint32_t number,
                                const uint32_t *members, uint32_t count);

/* How often a register is read by steps, stores and folds; the load that fills it, or NULL. */
uint32_t pod_compile_loop_uses(const pod_loop *loop, uint32_t at);
pod_loop_load *pod_compile_loop_load_of(const pod_loop *loop, uint32_t at);

/* Takes steps together while each value has a register of its own: what is spread over rows is read by the steps
 * that want it, products and signs are folded as they are made. False when there is no memory. */
bool pod_compile_loop_join_rows(pod_loop *loop, const pod_kernels *kernels, pod_arena *scratch, uint32_t registers);

/* Lets Adam read and store in memory what no other step needs in a register: see loop_adam.c. */
void pod_compile_loop_keep_adam(pod_loop *loop);

/* Packs the virtual registers of a loop, which are numbered in the order of their making, into few real
 * ones; `wide`: some have elements of 8 bytes. False when there is no memory. */
bool pod_compile_loop_pack_registers(pod_loop *loop, pod_arena *scratch, uint32_t registers, bool wide);

/* Decides how many elements a block has, and lays out the scratch. */
void pod_compile_loop_size_blocks(pod_loop *loop, bool wide);

/* Adds the instruction that runs a loop by itself. */
bool pod_lower_loop(pod_lowered *function, pod_loop *loop);

/* Lets a loop take what an instruction makes: its slots from `first` on, which fall into rows where the instruction's
 * do. Without one it is the value's result. False when there is no memory. */
bool pod_compile_loop_takes(pod_lowered *function, pod_instruction *made, const pod_loop *epilogue, uint32_t first,
                            bool by_rows, pod_ref value);

/* Rows of a partial result of those folds of a loop that leave some: all have the same. 0: none do, or NULL. */
int64_t pod_compile_partial_rows(const pod_loop *loop);

/* How many slots a loop reads, and writes. */
uint32_t pod_compile_loop_operand_count(const pod_loop *loop);
uint32_t pod_compile_loop_result_count(const pod_loop *loop);

/* Adds what combines the partial results of a loop's folds over rows. */
bool pod_lower_combines(pod_lowered *function, const pod_fusion *fusion, const pod_loop *loop, const uint32_t *members,
                        uint32_t count);

/* Adds the instructions of a product and of the loop that takes its tiles (NULL: none). */
bool pod_lower_product(pod_lowered *function, const pod_fusion *fusion, uint32_t node, pod_loop *epilogue);

/* The same of a convolution. */
bool pod_lower_convolution(pod_lowered *function, const pod_fusion *fusion, uint32_t node, pod_loop *epilogue);

/* Lets gradients of kernels read through the max pooling behind their convolution, so that what the pooling's gradient
 * would make is not made: see attach_poolings.c. */
void pod_compile_attach_poolings(pod_lowered *function);

/* Adds the instruction of such a call. */
bool pod_lower_call(pod_lowered *function, const pod_fusion *fusion, uint32_t index);

/* Adds the instruction of a node that shares a loop with no other; its operands are stored. */
bool pod_lower_single(pod_lowered *function, const pod_fusion *fusion, uint32_t node);

#endif
