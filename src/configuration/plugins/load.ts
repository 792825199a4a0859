import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { Problem } from '../../contract/problems.ts'
import type { StandardIssue, StandardSchema } from '../../contract/standard-schema.ts'
import { isObject } from '../../lib/json/object.ts'
import { inScope } from '../../lib/named-scope.ts'
import { within } from '../../lib/deadline.ts'
import { isDataFile } from '../discover.ts'
import type { EnvironmentVariables } from '../secrets.ts'
import { checkShape } from '../shape.ts'
import { ModuleFault, type PluginModule, faultOf, importPlugin } from './module.ts'
import { optionProblems } from '../../kit/options/problems.ts'
import {
  type ResolvedOptions,
  type SchemaNode,
  describedBy,
  hiddenTexts,
  textWithout,
} from '../../kit/options/options.ts'
import { resolveOptions } from './options.ts'
import { type PluginReference, isReference, pluginReferenceSchema } from './schema.ts'
import { digestOf, notePluginSource, shownOptions } from './source.ts'
import { collectStrays } from './strays.ts'

/** How long the module, the schema and the function of a plugin may take, each, in milliseconds. */
const longestMs = 10_000

/** The result for an entry of `plugins` that names a module. */
interface LoadedPlugin {
  /** Unchecked. Absent: there are problems. */
  readonly plugin?: unknown
  readonly problems: readonly Problem[]
}

/** The entries of `plugins` that name modules, by their indexes. */
export type LoadedPlugins = ReadonlyMap<number, LoadedPlugin>

/** Plugins that have been made, by the digests of their references. */
export type KnownPlugins = Map<string, GatewayPlugin>

/** The options of `loadPlugins`. */
export interface LoadPluginsOptions {
  /** Absolute path of the configuration file. Its directory need only exist. */
  readonly file: string
  readonly env: EnvironmentVariables
  /** Plugins of an earlier reading, which stay the same objects while their references stay the same. */
  readonly known?: KnownPlugins
  /** How long each module, its schema and its function may take, in milliseconds. Default: 10 s. */
  readonly waitMs?: number
}

/**
 * Loads the plugins that a configuration names by their modules, one after another: imports the module, checks the
 * options by its schema, and makes the plugin. A failure is a problem with the path of the entry. Never
 * rejects.
 */
export async function loadPlugins(
  config: unknown,
  { file, env, known = new Map(), waitMs = longestMs }: LoadPluginsOptions,
): Promise<LoadedPlugins> {
  const entries = isObject(config) && Array.isArray(config.plugins) ? config.plugins : []
  const loaded = new Map<number, LoadedPlugin>()
  const used = new Set<string>()
  for (const [index, entry] of (entries as unknown[]).entries()) {
    if (!isReference(entry) && !isDataFile(file)) continue
    const path = `plugins[${index}]`
    const context = { path, file, env, known, used, waitMs }
    const failed = (error: unknown) => ({ problems: [{ path, ...faultOf(error) }] })
    loaded.set(index, await loadOne(entry, context).catch(failed))
  }
  for (const digest of known.keys()) if (!used.has(digest)) known.delete(digest)
  return loaded
}

/** An entry, and its context in the configuration. */
interface EntryContext extends Required<LoadPluginsOptions> {
  readonly path: string
  /** The digests of the present references. */
  readonly used: Set<string>
}

async function loadOne(entry: unknown, context: EntryContext): Promise<LoadedPlugin> {
  const { path, env, known, used } = context
  const problems: Problem[] = []
  const reference = checkShape(pluginReferenceSchema, entry, path, problems)
  if (!reference) return { problems }
  const { use } = reference
  const options = resolveOptions(reference.options, `${path}.options`, env)
  const digest = digestOf(`${path} ${use}`, options.value)
  const before = options.missing.length === 0 ? known.get(digest) : undefined
  used.add(digest)
  if (before) return { plugin: before, problems }
  const name = use
  const { result, strays } = await collectStrays(name, () =>
    inScope(name, () => make(reference as PluginReference, options, context)),
  )
  const stray = strays.map((error) => ({ path: `${path}.use`, ...faultOf(error) }))
  const { plugin, schema } = result
  const hidden = hiddenTexts(options, schema)
  const found = [...result.problems, ...stray].map((problem) => ({
    ...problem,
    message: textWithout(problem.message, hidden),
  }))
  const missing = options.missing.map(({ problem }) => problem)
  if (missing.length + found.length > 0) return { problems: [...missing, ...found] }
  if (isObject(plugin)) {
    const made = plugin as unknown as GatewayPlugin
    const shown = shownOptions(reference.options, schema)
    notePluginSource(made, { use, digest, ...(reference.options && { options: shown }) })
    known.set(digest, made)
  }
  return { plugin, problems: [] }
}

/** A plugin that was made, with the schema of its options as JSON Schema. */
interface MadePlugin extends LoadedPlugin {
  readonly schema?: SchemaNode | undefined
}

async function make(
  { use, options: written }: PluginReference,
  options: ResolvedOptions,
  { path, file, waitMs }: EntryContext,
): Promise<MadePlugin> {
  try {
    const module = await importPlugin(use, file, waitMs)
    const schema = schemaOf(module, use)
    if (schema) return await makeOf(module, schema, { path, use, waitMs, options })
    if (written !== undefined)
      return { problems: [{ path: `${path}.options`, ...noOptions(use).fault }] }
    const { plugin } = module
    if (options.missing.length > 0) return { problems: [] }
    return { plugin: isMaker(plugin) ? await soon(() => plugin(), waitMs) : plugin, problems: [] }
  } catch (error) {
    return { problems: [{ path: `${path}.use`, ...faultOf(error) }] }
  }
}

/** Where options belong, and what they are. */
interface OptionsContext extends Pick<EntryContext, 'path' | 'waitMs'> {
  readonly use: string
  readonly options: ResolvedOptions
}

/** Makes a plugin of the options that its schema accepts, if no variable or file is missing. */
async function makeOf(
  { plugin }: PluginModule,
  validator: StandardSchema,
  { path, use, waitMs, options }: OptionsContext,
): Promise<MadePlugin> {
  if (!isMaker(plugin)) throw noFunction(use)
  const value = options.value ?? {}
  const checked: unknown = await soon(() => validator['~standard'].validate(value), waitMs)
  if (!isObject(checked)) throw noSchema(use)
  const schema = describedBy(validator)
  if (Array.isArray(checked.issues)) {
    const issues = checked.issues as readonly StandardIssue[]
    const hidden = hiddenTexts(options, schema)
    const refused = { options, schema, path: `${path}.options`, use, hidden }
    return { problems: optionProblems(issues, refused), schema }
  }
  if (options.missing.length > 0) return { problems: [], schema }
  const made = await soon(() => plugin(checked.value), waitMs)
  return { plugin: made, problems: [], schema }
}

type Maker = (options?: unknown) => unknown

function isMaker(value: unknown): value is Maker {
  return typeof value === 'function'
}

/** The schema of a module's options; `undefined` for a module without a schema. */
function schemaOf({ options }: PluginModule, use: string): StandardSchema | undefined {
  if (options === undefined) return undefined
  const { '~standard': standard } = Object(options) as Partial<StandardSchema>
  if (typeof standard?.validate === 'function') return options as StandardSchema
  throw noSchema(use)
}

/** The result of a function of the module, which may take its time. */
async function soon<T>(call: () => T, waitMs: number): Promise<Awaited<T>> {
  const late = () =>
    new ModuleFault({
      message: `takes longer than ${waitMs} ms to make the plugin`,
      fix: 'begin the work in onStart',
    })
  return await within(waitMs, Promise.try(call), late)
}

function noSchema(use: string): ModuleFault {
  return new ModuleFault({
    message: `exports \`options\`, which are no Standard Schema: ${use}`,
    fix: 'export const options = z.object({ ... }), or the schema of another such library',
  })
}

function noOptions(use: string): ModuleFault {
  return new ModuleFault({
    message: `are given to a plugin that takes none: ${use} exports no \`options\``,
    fix: 'leave them out, or export const options = z.object({ ... }) in the module',
  })
}

function noFunction(use: string): ModuleFault {
  return new ModuleFault({
    message: `exports \`options\`, but no function that takes them: ${use}`,
    fix: 'write export default function plugin(options) { return { name: ... } }',
  })
}
