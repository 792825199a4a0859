import { type GatewayPlugin, hookNames } from '../contract/plugin.ts'
import { ConfigurationError, type Problem } from '../contract/problems.ts'
import { isStorageName, localName } from '../contract/storage.ts'
import { isObject } from '../lib/json/object.ts'
import { nearest } from '../lib/nearest.ts'
import { showValue } from '../lib/show.ts'

const methods = ['upload', 'visit', 'open'] as const

/** Returns the problems of a plugin's storages. `storages` must be an array or absent. */
function checkStorages({ storages = [] }: GatewayPlugin, path: string): Problem[] {
  const names = new Set<unknown>()
  return storages.flatMap((storage: unknown, index) => {
    const at = `${path}.storages[${index}]`
    const members = Object(storage) as Record<string, unknown>
    const { name, places } = members
    const isNew = typeof name === 'string' && !names.has(name) && name !== localName
    names.add(name)
    const found = isNew && isStorageName(name) ? [] : [invalidName(`${at}.name`)]
    if (!Array.isArray(places) || places.length === 0) found.push(noPlaces(`${at}.places`))
    const missing = methods.filter((method) => typeof members[method] !== 'function')
    return [...found, ...missing.map((method) => noMethod(at, method))]
  })
}

function invalidName(path: string): Problem {
  return {
    path,
    message: 'is not a valid name of a storage, or is taken',
    fix: 'use small letters, digits and hyphens, and neither local nor the name of another scheme',
  }
}

function noPlaces(path: string): Problem {
  const fix = "write places: [{ region: undefined, root: '' }] if the storage has a single place"
  return { path, message: 'must be a list of at least one place', fix }
}

function noMethod(path: string, method: string): Problem {
  const message = 'must be a function'
  return { path: `${path}.${method}`, message, fix: `write async ${method}(file) { ... }` }
}

/** A plugin without problems, and its path in the configuration, such as `plugins[1]`. */
export interface CheckedPlugin {
  readonly path: string
  readonly plugin: GatewayPlugin
}

/**
 * Adds the problems of each entry to `problems`: malformed plugins, unknown hooks, names used twice. Returns the
 * plugins without any.
 */
export function checkPlugins(
  entries: readonly { readonly path: string; readonly plugin: unknown }[],
  problems: Problem[],
): CheckedPlugin[] {
  const sound: CheckedPlugin[] = []
  const places = new Map<string, string>()
  for (const { path, plugin } of entries) {
    if (!isNamed(plugin)) {
      problems.push(notAPlugin(plugin, path))
      continue
    }
    const { name } = plugin
    const first = places.get(name)
    if (first === undefined) places.set(name, path)
    const found = [
      ...memberProblems(plugin, path),
      ...(first === undefined ? [] : [taken(name, path, first)]),
    ]
    if (found.length === 0) sound.push({ path, plugin })
    problems.push(...found)
  }
  return sound
}

/** Throws `ConfigurationError` for plugins with problems. */
export function assertPlugins(plugins: readonly GatewayPlugin[]): void {
  const problems: Problem[] = []
  checkPlugins(
    plugins.map((plugin, index) => ({ path: `plugins[${index}]`, plugin })),
    problems,
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** Returns a problem for each configured plugin that has the name of another plugin of the pipeline. */
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

function notAPlugin(value: unknown, path: string): Problem {
  const isFactory = typeof value === 'function'
  return {
    path,
    message: `must be a plugin: an object with a name and hooks, but ${describeFault(value)}`,
    fix: isFactory ? 'call the function, if it returns a plugin' : example,
  }
}

function describeFault(value: unknown): string {
  if (typeof value === 'function') return 'is a function'
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `is ${showValue(value)}`
  const { name } = value as { name?: unknown }
  return name === undefined || name === '' ? 'has no name' : 'its name is not a string'
}

function memberProblems(plugin: GatewayPlugin, path: string): Problem[] {
  const lists = ['dialects', 'storages'].flatMap((key) => checkList(plugin, key, `${path}.${key}`))
  return [
    ...hookLike(plugin).flatMap((key) => checkHook(plugin, key, `${path}.${key}`)),
    ...(lists.length > 0
      ? lists
      : [...checkDialects(plugin, path), ...checkStorages(plugin, path)]),
    ...checkProviders(plugin, `${path}.providers`),
    ...checkAdmin(plugin, `${path}.admin`),
    ...checkFunctions(plugin, 'probes', { path, example: 'queue: () => ({ ok: true })' }),
    ...checkFunctions(plugin, 'tasks', { path, example: 'refresh: async ({ signal }) => { ... }' }),
  ]
}

function checkList(plugin: GatewayPlugin, key: string, path: string): Problem[] {
  const value = (plugin as unknown as Record<string, unknown>)[key]
  if (value === undefined || Array.isArray(value)) return []
  return [{ path, message: `is not a list of ${key}`, fix: `write ${key}: [...]` }]
}

/** The members of a dialect that only its clients need. */
const clientMembers = [
  'credential',
  'error',
  'credentialAs',
  'claims',
  'requestIdHeader',
  'framing',
  'files',
] as const

/** A dialect with operations has the side of clients, one that only accounts speak has nothing of it. */
function checkDialects({ dialects = [] }: GatewayPlugin, path: string): Problem[] {
  return dialects.flatMap((dialect: unknown, index) => {
    const at = `${path}.dialects[${index}]`
    const members = Object(dialect) as Record<string, unknown>
    if (typeof members['id'] !== 'string' || members['id'] === '')
      return [{ path: `${at}.id`, message: 'must be a text', fix: "write id: 'mine'" }]
    if ('operations' in members) return clientProblems(members, at)
    if (!isObject(members['upstream'])) {
      const message = 'is missing, and so is operations: neither accounts nor clients speak it'
      return [{ path: `${at}.upstream`, message, fix: 'write upstream: { ... }' }]
    }
    return clientMembers
      .filter((name) => members[name] !== undefined)
      .map((name) => ({
        path: `${at}.${name}`,
        message: 'is for clients, and this dialect has no operations: only accounts speak it',
        fix:
          name === 'framing'
            ? 'write upstream.framing, which is for accounts'
            : 'remove it, or add operations: [...]',
      }))
  })
}

function clientProblems(members: Record<string, unknown>, at: string): Problem[] {
  return (['credential', 'error'] as const)
    .filter((name) => typeof members[name] !== 'function')
    .map((name) => ({
      path: `${at}.${name}`,
      message: 'must be a function: clients call the operations of this dialect',
      fix: `write ${name}(...) { ... }, or leave operations out for a dialect that only accounts speak`,
    }))
}

function checkProviders({ providers }: GatewayPlugin, path: string): Problem[] {
  if (providers === undefined) return []
  const fix = "write providers: { name: { baseUrl: 'https://...', dialects: { chat: {} } } }"
  if (!isObject(providers)) return [{ path, message: 'must be an object of providers', fix }]
  return Object.entries(providers)
    .filter(([, one]) => !isObject(one) || !isObject(one['dialects']))
    .map(([name]) => ({ path: `${path}.${name}.dialects`, message: 'must be an object', fix }))
}

function checkAdmin({ admin }: GatewayPlugin, path: string): Problem[] {
  if (admin === undefined || typeof admin === 'function') return []
  const message = `must be a function, but is ${showValue(admin)}`
  return [{ path, message, fix: 'write admin(builder) { ... }' }]
}

/** A member that is an object of functions by their names. */
function checkFunctions(
  plugin: GatewayPlugin,
  member: 'probes' | 'tasks',
  { path, example }: { readonly path: string; readonly example: string },
): Problem[] {
  const { [member]: functions } = plugin
  if (functions === undefined) return []
  const at = `${path}.${member}`
  const fix = `write ${member}: { ${example} }`
  if (!isObject(functions)) return [{ path: at, message: 'must be an object of functions', fix }]
  return Object.entries(functions)
    .filter(([, one]) => typeof one !== 'function')
    .map(([name]) => ({ path: `${at}.${name}`, message: 'must be a function', fix }))
}

function checkHook(plugin: GatewayPlugin, key: string, path: string): Problem[] {
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
    message: `unknown hook "${key}"`,
    fix: meant ? `did you mean "${meant}"?` : `use one of ${hookNames.join(', ')}`,
  }
}

/** Members whose name starts with `on`, own and inherited, except `on` and `once` of event emitters. */
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
    message: `is "${name}", which is also the name of ${by}`,
    fix: 'give each plugin a name of its own',
  }
}
