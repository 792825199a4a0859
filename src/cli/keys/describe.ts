import type { KeyView } from '../../admin/key-view.ts'
import type { Invocation } from '../command.ts'
import type { KeyNode } from '../remote/nodes.ts'
import { isoTimes } from '../table.ts'

/** A key without its secret and hash; times in ISO 8601. */
interface KeyDescription {
  readonly id: string
  readonly state: 'active' | 'disabled' | 'expired' | 'revoked' | 'unreadable'
  /** Why it is disabled. */
  readonly reason?: string
  readonly models?: readonly string[]
  readonly team?: string
  readonly labels?: Readonly<Record<string, string>>
  /** Present if callers with this key may see how their calls are routed. */
  readonly explain?: true
  /** Present if the key has its own policy for settings that another dialect lacks. */
  readonly losses?: string
  /** Present if the key has its own form of errors. */
  readonly errors?: string
  readonly expires?: string
  readonly created?: string
  readonly rotated?: string
  /** When its former secret ends, while that works. */
  readonly graceUntil?: string
  readonly from: 'store' | 'configuration'
}

const states = {
  ACTIVE: 'active',
  DISABLED: 'disabled',
  EXPIRED: 'expired',
  REVOKED: 'revoked',
  DAMAGED: 'unreadable',
} as const

/** Describes a key as the admin API knows it. */
export function describeKey(key: KeyNode | KeyView): KeyDescription {
  const { id, state, stateReason, models, team, explain, losses, errors, managedBy } = key
  const labels = labelsOf(key)
  return {
    id,
    state: states[state],
    ...(stateReason && { reason: stateReason }),
    ...(models && { models }),
    ...(team && { team }),
    ...(labels && { labels }),
    ...(explain && { explain }),
    ...(losses && { losses: losses.toLowerCase() }),
    ...(errors && { errors: errors.toLowerCase() }),
    ...isoTimes({
      expires: key.expiresAt,
      created: key.createdAt,
      rotated: key.rotatedAt,
      graceUntil: key.graceUntil,
    }),
    from: managedBy === 'FILE' ? 'configuration' : 'store',
  }
}

function labelsOf({ labels }: KeyNode | KeyView): Readonly<Record<string, string>> | undefined {
  if (!isList(labels)) return labels
  if (labels.length === 0) return undefined
  return Object.fromEntries(labels.map(({ name, value }) => [name, value]))
}

/** The API has a list of labels. */
function isList(labels: KeyNode['labels'] | KeyView['labels']): labels is KeyNode['labels'] {
  return Array.isArray(labels)
}

/** The columns of a table of keys. */
export const keyTitles = [
  'ID',
  'STATE',
  'TEAM',
  'MODELS',
  'EXPIRES',
  'CREATED',
  'FROM',
  'LOSSES',
  'ERRORS',
  'EXPLAIN',
  'GRACE UNTIL',
  'WHY',
]

/** The row of a key. */
export function keyRow(key: KeyDescription): string[] {
  const { id, state, models, explain, losses = '', expires = 'never', created = '', from } = key
  const { errors = '', graceUntil = '', reason = '', team = '' } = key
  const shown = models?.join(',') ?? 'all'
  return [
    id,
    state,
    team,
    shown,
    expires,
    created,
    from,
    losses,
    errors,
    explain ? 'yes' : '',
    graceUntil,
    reason,
  ]
}

/**
 * Prints a new secret to standard output, alone or in JSON, so that scripts can capture it. Of a key that the gateway
 * cannot show any more only the id is known.
 */
export function printIssued(
  { from: _from, ...key }: Pick<KeyDescription, 'id'> & Partial<KeyDescription>,
  secret: string,
  { terminal, options }: Invocation,
  done: 'issued' | 'rotated',
): void {
  const { id, graceUntil, state } = key
  if (options['json'] !== undefined) terminal.out(JSON.stringify({ ...key, secret }))
  else terminal.out(secret)
  const former = graceUntil === undefined ? '' : ` Its former secret works until ${graceUntil}.`
  const effect =
    state === 'disabled'
      ? 'the key is disabled, and gateways reject it until it is enabled'
      : 'running gateways accept it within two seconds'
  terminal.say(`The key "${id}" is ${done}. Its secret is not shown again; ${effect}.${former}`)
}
