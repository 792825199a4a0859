/** Whether a model signs the first call of each step, and wants it back signed. */
export function signsCalls(model: string): boolean {
  return /gemini-(?:[3-9]|\d\d)/.test(model)
}
