import { quotaSchema } from '../configuration/quota-schema.ts'
import { checkShape } from '../configuration/shape.ts'
import type { Problem } from '../contract/problems.ts'
import type { Limit, LimitSubject, QuotaSetting } from '../contract/quota.ts'
import { defined } from '../lib/json/object.ts'
import { compileLimits, limitId, quotaProblem } from '../limits/compile.ts'
import { nameOf } from '../limits/limit-set.ts'
import { meterLimitOf } from '../limits/meter-limit.ts'
import {
  type LimitRecord,
  deleteDamagedLimit,
  deleteLimit,
  writeExtra,
  writeLimit,
} from '../stores/limits.ts'
import { greatestAmount } from '../stores/meter.ts'
import type { ActResult } from './act.ts'
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
import { type Amount, type LimitView, shown, viewsOf } from './limit-views.ts'
import type { AdminServices } from './services.ts'
import { unpricedWarnings } from './unpriced-models.ts'

/** Each process keeps all limits of the store in memory. */
const mostStored = 50_000

/** The limits of a subject, which the meter counts in one step. */
const mostOfSubject = 100

/** A limit as an act names it. */
interface LimitInput {
  readonly subject: LimitSubject
  readonly quota: QuotaSetting
  readonly expectedVersion?: number | null | undefined
  readonly dryRun?: boolean | null | undefined
}

/** A limit after an act, or as it would be. `null`: it is done, and its state cannot be read. */
export interface LimitChanged {
  readonly limit: LimitView | null
  /** What is probably mistaken: one line each. */
  readonly warnings: readonly string[]
  readonly dryRun: boolean
}

/** Writes a limit, after the checks of the configuration. Rejects with `StoreUnavailable`. */
export async function setLimit(
  services: AdminServices,
  { subject, quota, expectedVersion, dryRun }: LimitInput,
  changedBy: string,
): Promise<ActResult<LimitChanged>> {
  const { running } = services
  const problems = problemsOf(subject, quota)
  if (problems.length > 0) return invalid(problems)
  const id = limitId(subject, quota)
  await catchUpLimits(services)
  const managed = limitOfFile(services, id)
  if (managed) return managed
  const lacking = unknownSubject(services, subject)
  if (lacking) return lacking
  const before = running.storedLimits.records.get(id)
  const full = before ? undefined : tooMany(services, subject)
  if (full) return full
  if (dryRun && (expectedVersion ?? before?.version ?? 0) !== (before?.version ?? 0)) {
    return otherVersion('limit', id)
  }
  if (!dryRun) {
    const limit = { id, subject, quota }
    if (!(await writeLimit(running.store, limit, { changedBy, expectedVersion }))) {
      return otherVersion('limit', id)
    }
    await catchUpLimits(services)
  }
  const compiled = dryRun ? undefined : running.limits.get(id)
  const changed = compiled ?? compileLimits(subject, [quota], 'STORE')[0]!
  return {
    done: {
      limit: await viewAfterAct(services, changed),
      warnings: [...warningsOf(services, subject), ...(await unpricedWarnings(services, changed))],
      dryRun: dryRun ?? false,
    },
    changes: {
      ...(before && { before: { ...before.quota } }),
      after: { ...quota, ...(dryRun && { dryRun: true }) },
    },
  }
}

/** Deletes a limit of the store. What it has counted stays for a limit of its id. Rejects with `StoreUnavailable`. */
export async function removeLimit(
  services: AdminServices,
  {
    id,
    expectedVersion,
  }: { readonly id: string; readonly expectedVersion?: number | null | undefined },
): Promise<ActResult<{ id: string }>> {
  const { running } = services
  await catchUpLimits(services)
  // One that the configuration has too has had no effect.
  const known = running.storedLimits.records.get(id)
  if (!known && running.storedLimits.unreadable.includes(id)) {
    if (!(await deleteDamagedLimit(running.store, id))) return otherVersion('limit', id)
    await catchUpLimits(services)
    return { done: { id }, changes: {} }
  }
  if (!known) {
    const managed = limitOfFile(services, id)
    if (managed) return managed
    return running.storedLimits.isStale ? storeUnavailable() : notFound('limit', id)
  }
  if ((expectedVersion ?? known.version) !== known.version) return otherVersion('limit', id)
  if (!(await deleteLimit(running.store, known))) return otherVersion('limit', id)
  await catchUpLimits(services)
  return { done: { id }, changes: { before: { ...known.quota } } }
}

/** Deletes the limits of a subject that has left. Rejects with `StoreUnavailable`. */
export async function removeLimitsOf(
  services: AdminServices,
  subject: LimitSubject,
): Promise<void> {
  const { running } = services
  await catchUpLimits(services)
  for (const limit of running.storedLimits.records.values()) {
    if (nameOf(limit.subject) === nameOf(subject)) await deleteLimit(running.store, limit)
  }
  await catchUpLimits(services)
}

/** Forgets what a limit of the configuration or the store has counted in its period. Rejects with `StoreUnavailable`. */
export async function resetLimit(
  services: AdminServices,
  id: string,
): Promise<ActResult<{ limit: LimitView | null }>> {
  const limit = await findLimit(services, id)
  if ('failure' in limit) return limit
  if (limit.per) return conflict(`The limit "${id}" counts each end user apart.`)
  const { running, now } = services
  const meter = running.store.meter()
  const [name, counted] = [nameOf(limit.subject), meterLimitOf(limit, now(), running.limits)]
  const [state] = await meter.read(name, [counted])
  await meter.reset(name, counted)
  return {
    done: { limit: await viewAfterAct(services, limit) },
    changes: {
      before: { spent: shown(limit.kind, state?.spent ?? 0) },
      after: { spent: shown(limit.kind, 0) },
    },
  }
}

/** What an act grants. `until`: milliseconds since 1970. */
interface Grant {
  readonly id: string
  readonly amount: Amount
  readonly until: number
}

/** Grants a limit an amount until a time, in place of what it was granted before. Rejects with `StoreUnavailable`. */
export async function grantExtra(
  services: AdminServices,
  { id, amount, until }: Grant,
  changedBy: string,
): Promise<ActResult<{ limit: LimitView | null }>> {
  const limit = await findLimit(services, id)
  if ('failure' in limit) return limit
  const { running, now } = services
  const { subject, kind } = limit
  const quota = { kind, amount }
  const problems: Problem[] = []
  const problem = quotaProblem(subject, quota)
  if (problem) problems.push({ ...problem, path: `input.${problem.path}` })
  if (until <= now()) problems.push(pastTime)
  const extra = problem ? 0 : compileLimits(subject, [quota])[0]!.amount
  if (limit.amount + extra > greatestAmount) problems.push(tooMuch)
  if (problems.length > 0) return invalid(problems)
  const before = running.extras.records.get(id)
  await writeExtra(running.store, { id, amount: extra, until }, changedBy)
  await running.extras.catchUp()
  const recorded = (granted: number, end: number) => ({
    extra: shown(kind, granted),
    until: new Date(end).toISOString(),
  })
  return {
    done: { limit: await viewAfterAct(services, limit) },
    changes: {
      ...(before && { before: recorded(before.amount, before.until) }),
      after: recorded(extra, until),
    },
  }
}

const pastTime = {
  path: 'input.until',
  message: 'is in the past',
  fix: 'name a time to come, also to end what is granted with the amount 0',
}

const tooMuch = { path: 'input.amount', message: 'is too large', fix: 'grant less' }

/** The act is done: that its state cannot be read must not make it look as if it were not. */
async function viewAfterAct(services: AdminServices, limit: Limit): Promise<LimitView | null> {
  return await viewsOf(services, [limit]).then(
    ([view]) => view ?? null,
    () => null,
  )
}

async function catchUpLimits({ running }: AdminServices): Promise<void> {
  const { storedLimits, extras } = running
  await Promise.all([storedLimits.catchUp(), extras.catchUp()])
}

async function findLimit(services: AdminServices, id: string): Promise<Limit | ActFailure> {
  const { limits, storedLimits } = services.running
  await catchUpLimits(services)
  const limit = limits.get(id)
  if (limit?.isDamaged) {
    return conflict(
      `The record of the limit "${id}" is damaged: set the limit again, or remove it.`,
    )
  }
  return limit ?? (storedLimits.isStale ? storeUnavailable() : notFound('limit', id))
}

function problemsOf(subject: LimitSubject, quota: QuotaSetting): Problem[] {
  const problems: Problem[] = []
  checkShape(quotaSchema, quota, 'input', problems)
  if ((subject.type === 'gateway') !== (subject.id === '')) problems.push(badSubject)
  if (subject.id.length > 512 || !subject.id.isWellFormed() || subject.id.includes('\n')) {
    problems.push(badSubject)
  }
  problems.push(...tooManyModels(quota.models))
  if (problems.length > 0) return problems
  const problem = quotaProblem(subject, quota)
  return problem ? [{ ...problem, path: `input.${problem.path}` }] : []
}

const badSubject = {
  path: 'input.subject.id',
  message: 'is not the id of such a subject',
  fix: 'name a key, a team or an account by its id, and leave it out for the gateway',
}

/** A team or an account that does not exist cannot have limits. Plugins may identify callers as keys of any id. */
function unknownSubject(
  { running }: AdminServices,
  { type, id }: LimitSubject,
): ActFailure | undefined {
  const { teams, storedTeams, accounts, storedAccounts } = running
  const [isKnown, isStale] =
    type === 'team'
      ? [teams.get(id) !== undefined, storedTeams.isStale]
      : [
          type !== 'account' || accounts.snapshot.accounts.some((one) => one.id === id),
          storedAccounts.isStale,
        ]
  if (isKnown) return undefined
  return isStale ? storeUnavailable() : notFound(type, id)
}

function warningsOf({ running }: AdminServices, { type, id }: LimitSubject): string[] {
  if (type !== 'key' || running.keys.get(id)) return []
  return [
    `input.subject: there is no API key "${id}"; callers whom a plugin gives this id have the limit`,
  ]
}

function tooMany({ running }: AdminServices, subject: LimitSubject): ActFailure | undefined {
  if (running.storedLimits.records.size >= mostStored) {
    return conflict(`The store has ${mostStored} limits, which is the most.`)
  }
  if (running.limits.of(subject).length < mostOfSubject) return undefined
  return conflict(`It has ${mostOfSubject} limits, which is the most.`)
}

function limitOfFile({ running, settings, configuration }: AdminServices, id: string) {
  const limit = running.limits.get(id)
  if (limit?.managedBy !== 'FILE') return undefined
  const path = pathOf(settings(), limit)
  return managedByFile({ type: 'limit', id, path }, configuration.file)
}

/** Where the configuration has a limit. */
function pathOf(
  { keys, teams, accounts }: ReturnType<AdminServices['settings']>,
  { subject }: LimitRecord | Limit,
): string {
  if (subject.type === 'gateway') return 'quotas'
  const lists = { key: keys, team: teams, account: accounts }
  const index = lists[subject.type].findIndex(({ id }) => id === subject.id)
  return `${subject.type}s[${index}].quotas`
}

/** The quota that an act names: null members are absent. */
export function quotaOf(input: {
  readonly [Name in keyof QuotaSetting]: QuotaSetting[Name] | null | undefined
}): QuotaSetting {
  const members = Object.entries(input).map(([name, value]) => [name, value ?? undefined])
  return defined(Object.fromEntries(members) as QuotaSetting)
}
