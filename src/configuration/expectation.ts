/** What the person who wrote a value is told about it. `hidden` values are never repeated. */
export type Expectation = { expected: string; example: unknown; hidden?: boolean }

export const expects = (expected: string, example: unknown): Expectation => ({ expected, example })
