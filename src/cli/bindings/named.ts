import { type Invocation, UsageError } from '../command.ts'

/** A binding as a command names it. */
export interface NamedBinding {
  readonly id: string
  readonly keyId: string
  /** Absent: each known one is tried. */
  readonly kind: string | undefined
}

/** `--key ID`, the owner of a resource. Throws `UsageError`. */
export function requireKey({ options: { key } }: Pick<Invocation, 'options'>): string {
  if (key) return key
  throw new UsageError('Whose? --key ID names the API key that owns it.')
}
