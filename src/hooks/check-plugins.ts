import { type GatewayPlugin, hookNames } from '../contract/plugin.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { isStorageName, localName } from '../contract/storage.ts'
import { nearest } from '../lib/nearest.ts'
import { showValue } from '../lib/show.ts'

const methods = ['upload', 'visit', 'open'] as const

/** Tells of storages of a plugin that cannot work. Its list has been checked to be one. */
export function checkStorages({ storages = [] }: GatewayPlugin, path: string): Problem[] {
  const names = new Set<unknown>()
  return storages.flatMap((storage: unknown, index) => {
    const at = `${path}.storages[${index}]`
    const given = Object(storage) as Record<string, unknown>
    const { name, places } = given
    const isNew = typeof name === 'string' && !names.has(name) && name !== localName
    names.add(name)
    const found = isNew && isStorageName(name) ? [] : [unfitName(`${at}.name`)]
    if (!Array.isArray(places) || places.length === 0) found.push(noPlaces(`${at}.places`))
    const missing = methods.filter((method) => typeof given[method] !== 'function')
    return [...found, ...missing.map((method) => noMethod(at, method))]
  })
}

function unfitName(path: string): Problem {
  return {
    path,
    message: 'is no name for a storage, or one that another has',
    fix: 'use small letters, digits and hyphens, and neither local nor the name of another scheme',
  }
}

function noPlaces(path: string): Problem {
  const fix = "write places: [{ region: undefined, root: '' }] where there is one alone"
  return { path, message: 'must be a list of at least one place', fix }
}

function noMethod(path: string, method: string): Problem {
  const message = 'must be a function'
  return { path: `${path}.${method}`, message, fix: `write async ${method}(file) { ... }` }
}

/** A plugin in which nothing is wrong, and where it stands: `plugins[1]`. */
export interface CheckedPlugin {
  readonly path: string
  readonly plugin: GatewayPlugin
}

/** Tells of every entry that is no plugin, or that has what nobody would call. */
export function checkPlugins(entries: readonly unknown[], problems: Problem[]): CheckedPlugin[] {
  const sound: CheckedPlugin[] = []
  const places = new Map<string, string>()
  for (const [index, plugin] of entries.entries()) {
    const path = `plugins[${index}]`
    if (!isNamed(plugin)) {
      problems.push(noPlugin(plugin, path))
      continue
    }
    const { name } = plugin
    const first = places.get(name)
    if (first === undefined) places.set(name, path)
    const found = [
      ...misfits(plugin, path),
      ...(first === undefined ? [] : [taken(name, path, first)]),
    ]
    if (found.length === 0) sound.push({ path, plugin })
    problems.push(...found)
  }
  return sound
}

/** The same for plugins that code puts together. Throws `ConfigurationError`. */
export function assertPlugins(plugins: readonly GatewayPlugin[]): void {
  const problems: Problem[] = []
  checkPlugins(plugins, problems)
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Tells of plugins of a configuration that are called as others of the pipeline that they join. */
export function checkNamesIn(
  pipeline: readonly GatewayPlugin[],
  configured: readonly CheckedPlugin[],
): Problem[] {
  const own = new Set(configured.map(({ plugin }) => plugin))
  const shipped = new Set(pipeline.filter((plugin) => !own.has(plugin)).map(({ name }) => name))
  return configured
    .filter(({ plugin }) => shipped.has(plugin.name))
    .map(({ plugin, path }) => taken(plugin.name, path, 'a plugin of the gateway'))
}

function isNamed(value: unknown): value is GatewayPlugin {
  const name = (value as { name?: unknown } | null | undefined)?.name
  return typeof value === 'object' && typeof name === 'string' && name !== ''
}

const example = "for example { name: 'mine', onEnd: ({ exchange }) => console.log(exchange.id) }"

function noPlugin(value: unknown, path: string): Problem {
  const makesOne = typeof value === 'function'
  return {
    path,
    message: `must be a plugin: an object with a name and hooks, but ${whatIsWrong(value)}`,
    fix: makesOne ? 'call it, where it makes a plugin' : example,
  }
}

function whatIsWrong(value: unknown): string {
  if (typeof value === 'function') return 'is a function'
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `is ${showValue(value)}`
  const { name } = value as { name?: unknown }
  return name === undefined || name === '' ? 'has no name' : 'its name is no string'
}

function misfits(plugin: GatewayPlugin, path: string): Problem[] {
  const noLists = ['dialects', 'storages'].flatMap((key) => noList(plugin, key, `${path}.${key}`))
  return [
    ...hookLike(plugin).flatMap((key) => misfit(plugin, key, `${path}.${key}`)),
    ...(noLists.length > 0 ? noLists : checkStorages(plugin, path)),
  ]
}

function noList(plugin: GatewayPlugin, key: string, path: string): Problem[] {
  const value = (plugin as unknown as Record<string, unknown>)[key]
  if (value === undefined || Array.isArray(value)) return []
  return [{ path, message: `is no list of ${key}`, fix: `write ${key}: [...]` }]
}

function misfit(plugin: GatewayPlugin, key: string, path: string): Problem[] {
  if (!hookNames.includes(key)) return [unknownHook(key, path)]
  const hook: unknown = plugin[key as keyof GatewayPlugin]
  if (hook === undefined || typeof hook === 'function') return []
  const message = `must be a function, but is ${showValue(hook)}`
  return [{ path, message, fix: `write ${key}(input) { ... }` }]
}

function unknownHook(key: string, path: string): Problem {
  const meant = nearest(key, hookNames)
  return {
    path,
    message: `there is no hook called "${key}"`,
    fix: meant ? `did you mean "${meant}"?` : `use one of ${hookNames.join(', ')}`,
  }
}

/** What looks like a hook, also where a class has it. Emitters have `on` and `once`. */
function hookLike(plugin: object): string[] {
  const names = new Set<string>()
  for (let at: unknown = plugin; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
  }
  return [...names].filter((name) => /^on(?!ce$)./.test(name))
}

function taken(name: string, path: string, by: string): Problem {
  return {
    path: `${path}.name`,
    message: `is "${name}", which is the name of ${by} too`,
    fix: 'give each plugin a name of its own',
  }
}
