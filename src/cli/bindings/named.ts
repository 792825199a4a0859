import { type Invocation, UsageError } from '../command.ts'
import { requireId } from '../operand.ts'

/** A binding as a command names it. */
export interface NamedBinding {
  readonly id: string
  readonly keyId: string
  /** Absent: each known one is tried. */
  readonly kind: string | undefined
}

/** `--key ID`, the owner of a resource. Throws `UsageError`. */
function requireKey({ options: { key } }: Pick<Invocation, 'options'>): string {
  if (key) return key
  throw new UsageError('Whose? --key ID names the API key that owns it.')
}

/** The binding that `command` is about. Throws `UsageError`. */
export function requireBinding(invocation: Invocation, command: string): NamedBinding {
  return {
    id: requireId(invocation, 'binding', command),
    keyId: requireKey(invocation),
    kind: invocation.options['kind'],
  }
}
