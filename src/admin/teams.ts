import { teamSchema } from '../configuration/quota-schema.ts'
import { checkShape } from '../configuration/shape.ts'
import type { TeamSetting } from '../contract/quota.ts'
import type { Problem } from '../contract/problems.ts'
import { defined } from '../lib/json/object.ts'
import { listKeys } from '../stores/keys.ts'
import { type TeamChange, type TeamRecord, deleteTeam, writeTeam } from '../stores/teams.ts'
import type { ActResult } from './act.ts'
import { removeLimitsOf } from './call-limits.ts'
import {
  type ActFailure,
  conflict,
  invalid,
  managedByFile,
  notFound,
  otherVersion,
  storeUnavailable,
} from './failures.ts'
import { tooManyModels } from './keys.ts'
import type { AdminServices } from './services.ts'

/** Each process keeps all teams of the store in memory. */
const mostStored = 10_000

/** A team for operators. Times are milliseconds since 1970. */
export interface TeamView extends Omit<TeamSetting, 'quotas'> {
  readonly managedBy: 'FILE' | 'STORE'
  /** The problem of a team of the configuration file that has the id of a stored team; `undefined` without such a conflict. */
  readonly problem?: string
  readonly version?: number
  readonly changedAt?: number
  readonly changedBy?: string
}

/** The teams of the configuration and the store, in the order of their ids. */
export function listTeamViews({ running, settings }: AdminServices): TeamView[] {
  const { records } = running.storedTeams
  const fromFile = settings().teams.map(({ id, name, models }): TeamView => {
    return {
      id,
      managedBy: 'FILE',
      ...defined({ name, models }),
      ...(records.has(id) && {
        problem: 'The store has a team of this id too, which has no effect.',
      }),
    }
  })
  const taken = new Set(fromFile.map(({ id }) => id))
  const fromStore = [...records.values()].filter(({ id }) => !taken.has(id)).map(storedView)
  return [...fromFile, ...fromStore].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

function storedView(team: TeamRecord): TeamView {
  return { ...team, managedBy: 'STORE' }
}

/** A change of a team as an act names it. */
interface TeamInput extends TeamChange {
  readonly id: string
  readonly expectedVersion?: number | null | undefined
}

/** Creates a team in the store, after the checks of the configuration. Rejects with `StoreUnavailable`. */
export async function createTeam(
  services: AdminServices,
  { id, ...settings }: TeamInput,
  changedBy: string,
): Promise<ActResult<{ team: TeamView }>> {
  const { store, storedTeams } = services.running
  const managed = teamOfFile(services, id)
  if (managed) return managed
  const problems = problemsOf({ id, ...settings })
  if (problems.length > 0) return invalid(problems)
  if (storedTeams.records.size >= mostStored) {
    return conflict(`The store has ${mostStored} teams, which is the most.`)
  }
  const team = await writeTeam(store, id, settings, { changedBy, expectedVersion: 0 })
  if (!team) return conflict(`The team "${id}" already exists.`)
  await storedTeams.catchUp()
  const { name = null, models = null } = team
  return { done: { team: storedView(team) }, changes: { after: { name, models } } }
}

/** Changes a team of the store. Rejects with `StoreUnavailable`. */
export async function updateTeam(
  services: AdminServices,
  { id, expectedVersion, ...settings }: TeamInput,
  changedBy: string,
): Promise<ActResult<{ team: TeamView }>> {
  const { store, storedTeams } = services.running
  const before = await findStored(services, id)
  if ('failure' in before) return before
  const change = defined({ name: settings.name, models: settings.models })
  const problems = problemsOf(change)
  if (problems.length > 0) return invalid(problems)
  const by = { changedBy, expectedVersion, mustExist: true }
  const team = await writeTeam(store, id, change, by)
  if (!team) return otherVersion('team', id)
  await storedTeams.catchUp()
  return {
    done: { team: storedView(team) },
    changes: { before: membersOf(before, change), after: membersOf(team, change) },
  }
}

/** Deletes a team of the store that no key names. Rejects with `StoreUnavailable`. */
export async function removeTeam(
  services: AdminServices,
  { id, expectedVersion }: Pick<TeamInput, 'id' | 'expectedVersion'>,
): Promise<ActResult<{ id: string }>> {
  const { store, storedTeams } = services.running
  const managed = teamOfFile(services, id)
  await storedTeams.catchUp()
  const before = storedTeams.records.get(id) ?? managed ?? missing(services, id)
  if ('failure' in before) return before
  if ((expectedVersion ?? before.version) !== before.version) return otherVersion('team', id)
  // One that the configuration has too has had no effect.
  const keys = managed ? [] : await keysOf(services, id)
  if (keys.length > 0) {
    const named = keys.slice(0, 10).join(', ')
    return conflict(`The team "${id}" has keys: ${named}. Give them another team, or revoke them.`)
  }
  if (!(await deleteTeam(store, id, before.version))) return otherVersion('team', id)
  await storedTeams.catchUp()
  if (!managed) await removeLimitsOf(services, { type: 'team', id })
  return { done: { id }, changes: { before: membersOf(before, { name: null, models: null }) } }
}

/** The keys of a team that are not revoked. */
async function keysOf({ running }: AdminServices, team: string): Promise<string[]> {
  const stored = await listKeys(running.store)
  const all = [...running.keys.configured, ...stored.filter(({ disabled }) => !disabled)]
  return all.filter((key) => key.team === team).map(({ id }) => id)
}

async function findStored(services: AdminServices, id: string): Promise<TeamRecord | ActFailure> {
  const { storedTeams } = services.running
  const managed = teamOfFile(services, id)
  if (managed) return managed
  await storedTeams.catchUp()
  return storedTeams.records.get(id) ?? missing(services, id)
}

function missing({ running }: AdminServices, id: string): ActFailure {
  return running.storedTeams.isStale ? storeUnavailable() : notFound('team', id)
}

/** The problem of a key whose team does not exist; `undefined`: it does. */
export async function unknownTeam(
  { running }: AdminServices,
  team: string,
): Promise<ActFailure | undefined> {
  await running.storedTeams.catchUp()
  if (running.teams.get(team)) return undefined
  if (running.storedTeams.isStale) return storeUnavailable()
  const message = `"${team}" is no team`
  return invalid([{ path: 'input.team', message, fix: 'create it first, by createTeam' }])
}

function teamOfFile({ settings, configuration }: AdminServices, id: string) {
  const index = settings().teams.findIndex((team) => team.id === id)
  if (index < 0) return undefined
  return managedByFile({ type: 'team', id, path: `teams[${index}]` }, configuration.file)
}

const { id: idSchema, name: nameSchema, models: modelsSchema } = teamSchema.shape

function problemsOf({ id, name, models }: TeamChange & { readonly id?: string }): Problem[] {
  const problems: Problem[] = []
  if (id !== undefined) checkShape(idSchema, id, 'input.id', problems)
  checkShape(nameSchema, name ?? undefined, 'input.name', problems)
  checkShape(modelsSchema, models ?? undefined, 'input.models', problems)
  return [...problems, ...tooManyModels(models)]
}

/** The members of a team that a change names, for an audit record. */
function membersOf(team: TeamRecord, change: TeamChange): Record<string, unknown> {
  const { name = null, models = null } = team
  return Object.fromEntries(Object.entries({ name, models }).filter(([one]) => one in change))
}
