/** Resolves as soon as a condition is true; rejects if it is not true within `withinMs` milliseconds. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`Condition not met within ${withinMs} ms: ${condition.toString()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
