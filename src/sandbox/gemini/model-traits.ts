/**
 * Whether a model signs the first call of each step, and requires the signature in the next
 * request.
 */
export function signsCalls(model: string): boolean {
  return /gemini-(?:[3-9]|\d\d)/.test(model)
}
