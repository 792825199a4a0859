import type { Caller, RefusedKey } from '../contract/request.ts'
import type { ApiKey } from '../stores/key-ring.ts'
import { compilePatterns } from './patterns.ts'
import type { Team, Teams } from './teams.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** A key is the same object until the keys change, and a team until it changes. */
const toCaller = computedOnce((key: ApiKey): Caller => callerWith(key, undefined))
const toMember = computedOnce((team: Team) => computedOnce((key: ApiKey) => callerWith(key, team)))

/** A key of a team that does not exist may use no model: the team may have narrowed them. */
const lost: Team = { id: '', models: [], mayUse: () => false }

function callerWith(key: ApiKey, team: Team | undefined): Caller {
  const { id, models, explain, losses, errors } = key
  const shared = { keyId: id, team: key.team, mayExplain: explain === true, losses, errors }
  const mayUse = models ? compilePatterns(models) : () => true
  if (!team?.models) return { ...shared, mayUse, models }
  if (!models) return { ...shared, mayUse: team.mayUse, models: team.models }
  // No list of patterns has the names that both lists match.
  const mayBoth = (model: string) => mayUse(model) && team.mayUse(model)
  return { ...shared, mayUse: mayBoth, models, teamModels: team.models }
}

/** The caller of an API key; `undefined` if the key is disabled or expired. */
export function callerOfKey(key: ApiKey, teams?: Pick<Teams, 'get'>): Caller | undefined {
  if (key.disabled || isExpired(key)) return undefined
  return key.team === undefined ? toCaller(key) : toMember(teams?.get(key.team) ?? lost)(key)
}

/** A key that has no caller, for operators. */
export function refusedKeyOf({ id, disabled }: ApiKey): RefusedKey {
  return { refused: disabled ? 'disabled' : 'expired', keyId: id }
}

function isExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== undefined && Date.now() >= expiresAt
}
