import { z } from 'zod'

import { isObject } from '../../lib/json/object.ts'
import { expects, optional, required } from '../schema-nodes.ts'

/** A plugin of a module that the configuration names, in the place of the plugin itself. */
export interface PluginReference {
  /** A path, relative to the configuration file, such as `./my-plugin.ts`, or the name of a package. */
  readonly use: string
  /** Checked by the schema of the module. Texts may be `env:NAME` and `file:/path`. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** The schema of `PluginReference`. */
export const pluginReferenceSchema = z
  .strictObject({
    use: required(
      z
        .string()
        .regex(/^[^\s:]+$/)
        .meta(expects('a path such as ./my-plugin.ts, or the name of a package', './my-plugin.ts')),
      'The module of the plugin: a path that begins with `./`, `../` or `/` (a relative one starts at the configuration file), or the name of a package that is installed beside it.',
    ),
    options: optional(
      z
        .record(z.string(), z.unknown())
        .meta({ ...expects('an object of options', { limit: 10 }), hidden: true }),
      'Options of the plugin, checked by its own schema. A text `env:NAME` is the value of this variable, and `file:/path` the content of this file.',
      'no options',
    ),
  })
  .meta(expects('an object with `use` and `options`', { use: './my-plugin.ts' }))

/** Whether an entry of `plugins` names a module. A plugin has a name. */
export function isReference(entry: unknown): boolean {
  return isObject(entry) && 'use' in entry && typeof entry.name !== 'string'
}
