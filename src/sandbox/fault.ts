/** The place of a value in the request body: keys and list positions from the top. */
export type Path = readonly (string | number)[]

/** A mistake in a request body. Each provider words it as its own error. */
export type Fault =
  | { kind: 'missing'; path: Path }
  | { kind: 'unknown'; path: Path }
  | { kind: 'type'; path: Path; expected: string; actual: string }
  | { kind: 'choice'; path: Path; allowed: readonly string[]; actual: unknown }
  | { kind: 'limit'; path: Path; of: Measure; bound: 'min' | 'max'; limit: number; actual: number }
  | { kind: 'pattern'; path: Path; pattern: string; actual: string }
  | { kind: 'rule'; path: Path; message: string; code?: string }

/** The quantity that a limit bounds: a number, the length of a string or the items of a list. */
export type Measure = 'number' | 'length' | 'items'

/** Thrown by a shape; the provider of the endpoint turns it into its own error. */
export class FaultError extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super(`${fault.kind} at ${fault.path.join('.')}`)
    this.name = 'FaultError'
    this.fault = fault
  }
}

/** The error for a rule of the provider that no shape expresses. */
export function ruleFault(path: Path, message: string, code?: string): FaultError {
  return new FaultError({ kind: 'rule', path, message, ...(code ? { code } : {}) })
}
