import { bracketed } from '../lib/hosts.ts'
import { CommandError } from './command.ts'

/**
 * Turns a failure to listen into a `CommandError` of one line. `flag` is the option that selects the
 * port. Other errors are returned unchanged.
 */
export function explainListenError(
  error: unknown,
  { host, port }: { host: string; port: number },
  flag: string,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason = reasons[String(code)]
  if (!reason) return error
  const address = `${bracketed(host)}:${port}`
  return new CommandError(`${address} ${reason} Choose another with ${flag}.`, { cause: error })
}

const reasons: Partial<Record<string, string>> = {
  EADDRINUSE: 'is in use already, perhaps by a gateway that drains.',
  EACCES: 'is not permitted for this user.',
  EADDRNOTAVAIL: 'is not an address of this machine.',
  ENOTFOUND: 'is not an address of this machine.',
}
