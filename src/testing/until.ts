/** Resolves as soon as a condition holds; rejects when it does not within `withinMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > deadline) {
      throw new Error(`Within ${withinMs} ms this did not come true: ${condition.toString()}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
