import { namesFrom, nextName } from '../accounts/alias-settings.ts'
import { mergeAliases } from '../accounts/stored-aliases.ts'
import { aliasCircles, uselessFallbacks } from '../configuration/check-names.ts'
import { aliasSchema } from '../configuration/schema.ts'
import { checkShape } from '../configuration/shape.ts'
import type { AliasSetting, AliasSettings } from '../contract/account.ts'
import type { Problem } from '../contract/problems.ts'
import { isModelName } from '../kit/account-path.ts'
import {
  type ChangedMembers,
  changeMembers,
  deleteAlias,
  membersOf,
  writeAlias,
} from '../stores/aliases.ts'
import { catchUpAccounts } from './accounts/catch-up.ts'
import type { ActResult } from './act.ts'
import {
  conflict,
  invalid,
  managedByFile,
  notFound,
  otherVersion,
  storeUnavailable,
} from './failures.ts'
import type { AdminServices } from './services.ts'

/** Each process compiles all aliases of the store, and circles are searched in all of them. */
const mostStored = 1_000

/** In characters, as of every name of a model that callers send. */
const longestName = 512

/** An alias for operators. Times are milliseconds since 1970. */
export interface AliasView extends AliasSetting {
  readonly name: string
  readonly managedBy: 'FILE' | 'STORE'
  /** Absent: it is in use. */
  readonly problem?: string
  readonly version?: number
  readonly changedAt?: number
  readonly changedBy?: string
}

/** The aliases of the configuration and the store, in the order of their names. */
export function listAliasViews({ running }: AdminServices): AliasView[] {
  const { configured } = running.accounts
  const effective = mergeAliases(configured.aliases, running.aliases.settings)
  const fromFile = Object.entries(configured.aliases).map(([name, alias]): AliasView => {
    const setting = typeof alias === 'string' ? { model: alias } : alias
    return { name, managedBy: 'FILE', ...setting }
  })
  const stored = [...running.aliases.records.values()].map((record): AliasView => {
    const { name } = record
    if (Object.hasOwn(configured.aliases, name)) {
      return {
        ...record,
        managedBy: 'STORE',
        problem: 'The configuration file has this alias too.',
      }
    }
    if (Object.hasOwn(effective, name)) return { ...record, managedBy: 'STORE' }
    return { ...record, managedBy: 'STORE', problem: 'It is part of a circle of aliases.' }
  })
  return [...fromFile, ...stored].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The settings of an alias as an act names them. */
interface AliasInput extends ChangedMembers {
  readonly name: string
  readonly model: string
  readonly expectedVersion?: number | null | undefined
}

/** Writes an alias of the store, after the checks of the configuration. Rejects with `StoreUnavailable`. */
export async function setAlias(
  services: AdminServices,
  { name, model, expectedVersion, ...changed }: AliasInput,
  changedBy: string,
): Promise<ActResult<{ alias: AliasView }>> {
  const { accounts, aliases, store } = services.running
  if (Object.hasOwn(accounts.configured.aliases, name)) return fileHas(services, name)
  await catchUp(services)
  const before = aliases.records.get(name)
  const setting = { model, ...changeMembers(before ?? {}, changed) }
  const problems = problemsOf(name, setting)
  if (problems.length > 0) return invalid(problems)
  const lost = problemsOfWay(services, name, setting)
  if (lost.length > 0) return isStale(services) ? storeUnavailable() : invalid(lost)
  if (!before && aliases.records.size >= mostStored) {
    return conflict(`The store has ${mostStored} aliases, which is the most.`)
  }
  const written = await writeAlias(
    store,
    // An absent field stays as the store has it by then: another operator may change it meanwhile.
    { ...changed, name, model, changedBy },
    expectedVersion ?? undefined,
  )
  if (!written) return otherVersion('alias', name)
  await aliases.catchUp()
  return {
    done: { alias: { ...written, managedBy: 'STORE' } },
    changes: {
      ...(before && { before: recordedOf(before) }),
      after: recordedOf(written),
    },
  }
}

/** Deletes an alias of the store, unless others need it. Rejects with `StoreUnavailable`. */
export async function removeAlias(
  services: AdminServices,
  { name, expectedVersion }: { name: string; expectedVersion?: number | null | undefined },
): Promise<ActResult<{ name: string }>> {
  const { running } = services
  const { accounts, aliases, store } = running
  await catchUp(services)
  const before = aliases.records.get(name)
  const isInFile = Object.hasOwn(accounts.configured.aliases, name)
  if (!before && isInFile) return fileHas(services, name)
  if (!before) return aliases.isStale ? storeUnavailable() : notFound('alias', name)
  if (typeof expectedVersion === 'number' && expectedVersion !== before.version)
    return aliases.isStale ? storeUnavailable() : otherVersion('alias', name)
  const without = mergeAliases(accounts.configured.aliases, withoutName(aliases.settings, name))
  const needing = isInFile ? [] : namesOf(without, name)
  if (needing.length > 0 && !hasModel(running, name)) {
    if (isStale(services)) return storeUnavailable()
    return conflict(
      `These aliases lead to the alias "${name}": ${needing.slice(0, 10).join(', ')}.`,
    )
  }
  if (!(await deleteAlias(store, name, before.version))) return otherVersion('alias', name)
  await aliases.catchUp()
  return { done: { name }, changes: { before: recordedOf(before) } }
}

/** What the audit record of an act says about an alias. */
function recordedOf(alias: AliasSetting) {
  return { model: alias.model, replyModel: null, ...membersOf(alias) }
}

function fileHas({ configuration }: Pick<AdminServices, 'configuration'>, name: string) {
  return managedByFile({ type: 'alias', id: name, path: `aliases.${name}` }, configuration.file)
}

/** Reads the aliases and the accounts of the store as they are now. Never rejects. */
async function catchUp(services: AdminServices): Promise<void> {
  const { aliases } = services.running
  await Promise.all([aliases.catchUp(), catchUpAccounts(services)])
}

/** Whether the store may have other aliases and accounts than those that this process knows. */
function isStale({ running: { aliases, storedAccounts } }: AdminServices): boolean {
  return aliases.isStale || storedAccounts.isStale
}

/** The problems of an alias for which the configuration would be invalid. */
function problemsOf(name: string, setting: AliasSetting): Problem[] {
  const names: [path: string, name: string][] = [
    ['name', name],
    ['model', setting.model],
    ...modelsOfFallbacks(setting),
  ]
  const badNames = names.flatMap(([path, text]): Problem[] =>
    isName(text) ? [] : [{ ...badName, path: `input.${path}` }],
  )
  if (badNames.length > 0) return badNames
  const problems: Problem[] = []
  checkShape(aliasSchema, setting, 'input', problems)
  return problems
}

/** A circle of aliases, a model that no account has, and a fallback that is the model of the alias. */
function problemsOfWay({ running }: AdminServices, name: string, setting: AliasSetting): Problem[] {
  const stored = { ...withoutName(running.aliases.settings, name), [name]: setting }
  const all = { ...stored, ...running.accounts.configured.aliases }
  const way = namesFrom(all, name)
  const circles = aliasCircles(pick(all, way))
  if (circles.length > 0) return circles.map((one) => ({ ...one, path: 'input.model' }))
  const fallbacks = modelsOfFallbacks(setting)
  const ways = fallbacks.flatMap(([, model]) => namesFrom(all, model))
  const useless = uselessFallbacks(pick(all, [...way, ...ways])).filter(({ path }) =>
    path.startsWith(`aliases.${name}.fallbacks[`),
  )
  const lost = [['model', name] as const, ...fallbacks].flatMap(([path, start]): Problem[] => {
    const end = namesFrom(all, start).at(-1)!
    if (hasModel(running, end)) return []
    const message = `leads to the model "${end}", which no account has`
    return [{ path: `input.${path}`, message, fix: 'name a model of an account, or another alias' }]
  })
  const start = `aliases.${name}.`.length
  return [...useless.map((one) => ({ ...one, path: `input.${one.path.slice(start)}` })), ...lost]
}

/** The models of fallbacks, each with its path in the input. */
function modelsOfFallbacks({ fallbacks = [] }: AliasSetting): [path: string, model: string][] {
  return fallbacks.map(({ model }, index) => [`fallbacks[${index}].model`, model])
}

function pick(all: AliasSettings, names: readonly string[]): AliasSettings {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

const badName = {
  message: 'is not the name of a model',
  fix: 'use 1 to 512 characters, without empty or dot segments of a path',
}

function isName(text: string): boolean {
  return text !== '' && text.length <= longestName && text.isWellFormed() && isModelName(text)
}

/** Whether an account, enabled or not, has a model by this name itself. */
function hasModel({ accounts }: AdminServices['running'], model: string): boolean {
  return accounts.snapshot.accounts.some((one) => one.models.upstreamName(model) !== undefined)
}

/** The aliases that name `model` directly, also as a fallback. */
function namesOf(aliases: AliasSettings, model: string): string[] {
  return Object.entries(aliases)
    .filter(
      ([name, alias]) =>
        nextName(aliases, name) === model ||
        (typeof alias === 'object' && alias.fallbacks?.some((one) => one.model === model)),
    )
    .map(([name]) => name)
}

function withoutName(aliases: AliasSettings, name: string): AliasSettings {
  return Object.fromEntries(Object.entries(aliases).filter(([one]) => one !== name))
}
