import { nearest } from '../lib/nearest.ts'
import { knownKinds } from '../stores/bindings.ts'
import { quoted } from './remote/failures.ts'

/** The filter of a list of records that belong to keys and accounts. */
interface RecordFilter {
  readonly keyId?: string | undefined
  readonly accountId?: string | undefined
  readonly kind?: string | undefined
}

/** The message of an empty list of records. An id that no key or account has is no mistake: records outlive both. */
export function noneMatch(noun: string, { keyId, accountId, kind }: RecordFilter): string {
  const isOdd = kind !== undefined && !knownKinds.some((one) => one === kind)
  return [
    `No ${noun} match.`,
    ...(isOdd ? [oddKind(kind)] : []),
    ...(keyId === undefined ? [] : ['`keys list` shows the ids of keys.']),
    ...(accountId === undefined ? [] : ['`accounts list` shows the ids of accounts.']),
  ].join(' ')
}

function oddKind(kind: string): string {
  const near = nearest(kind, new Set<string>(knownKinds))
  const meant = near === undefined ? '' : ` Did you mean \`${near}\`?`
  return `The kinds of the gateway are ${knownKinds.join(', ')}, not "${quoted(kind)}"; plugins may have others.${meant}`
}
