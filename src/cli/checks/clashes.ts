import type { Problem } from '../../contract/problems.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import type { StoredRecords } from '../stored-records.ts'

/**
 * The keys, admin tokens, aliases and teams of the store that have no effect because the configuration has one of
 * the same id or name. Revoked and expired ones have none anyway.
 */
export function clashesWithStore(
  { settings }: CommandConfiguration,
  { keys, tokens, aliases, teams }: StoredRecords,
): Problem[] {
  const { adminTokens = [] } = settings
  return [
    ...twins(keys, settings.keys).map((id) => clash(`keys.${id}`, revokeIt)),
    ...twins(tokens, adminTokens).map((id) => clash(`admin.tokens.${id}`, revokeIt)),
    ...aliases
      .filter((name) => Object.hasOwn(settings.aliases, name))
      .map((name) => clash(`aliases.${name}`, removeIt)),
    ...teams
      .filter((id) => settings.teams.some((team) => team.id === id))
      .map((id) => clash(`teams.${id}`, deleteIt)),
  ]
}

function twins(
  stored: readonly { readonly id: string; readonly state: string }[],
  configured: readonly { readonly id: string }[],
): string[] {
  const ids = new Set(configured.map(({ id }) => id))
  return stored.flatMap(({ id, state }) => (state === 'ACTIVE' && ids.has(id) ? [id] : []))
}

function clash(path: string, fix: string): Problem {
  const message = 'is in the configuration and in the store; the configuration wins'
  return { path, message, fix }
}

const revokeIt =
  'give it another id in the configuration; or take it out, revoke the one of the store, and put it back'

const deleteIt = "delete one of the two: `teams delete` deletes the store's"

const removeIt = "delete one of the two: removeAlias of the admin API deletes the store's"
