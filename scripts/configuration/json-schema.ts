import { z } from 'zod'

import { pluginReferenceSchema } from '../../src/configuration/plugins/schema.ts'
import { configSchema } from '../../src/configuration/schema.ts'

/** A part of a JSON Schema of draft 7, the draft with the widest support in editors. */
export interface JsonSchema {
  title?: string
  description?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  propertyNames?: JsonSchema
  additionalProperties?: JsonSchema | boolean
  required?: string[]
  maximum?: number
  maxItems?: number
}

/** A setting, with its metadata from `src/configuration/schema-nodes.ts`. */
export interface SettingSchema extends JsonSchema {
  expected?: string
  example?: unknown
  hidden?: boolean
  defaultText?: string
  unit?: string
}

const conversion = {
  target: 'draft-7',
  io: 'input',
  // A `Date` exists only in code.
  unrepresentable: 'any',
} as const

/** The schema of configurations, with the metadata of each setting. */
export function settingsSchema(): SettingSchema {
  const { properties = {}, ...rest } = z.toJSONSchema(configSchema, conversion) as SettingSchema
  // In JSON and YAML, plugins are named by their modules.
  const { $schema: _, ...items } = z.toJSONSchema(pluginReferenceSchema, conversion)
  const plugins = { ...properties['plugins'], items: items as SettingSchema }
  return { ...rest, properties: { ...properties, plugins } }
}

/** The JSON Schema of configuration files in JSON and YAML. */
export function configurationJsonSchema(): JsonSchema {
  return { title: 'Configuration of Dragoman', ...publish(settingsSchema()) }
}

/** Converts metadata to keywords of JSON Schema, in all parts of a schema. */
function publish(setting: SettingSchema): JsonSchema {
  const { description, unit, defaultText, example, expected: _, hidden: _hidden, ...rest } = setting
  const { items, anyOf, properties, propertyNames, additionalProperties, maximum, ...own } = rest
  const sentences = [
    description,
    unit && `Unit: ${unit}.`,
    defaultText && `Default: ${defaultText}.`,
  ].filter(Boolean)
  return {
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    ...own,
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(example !== undefined && { examples: [example] }),
    ...(items && { items: publish(items) }),
    // A value of code, such as a `Date`, has no type here.
    ...(anyOf && { anyOf: anyOf.filter(({ type }) => type !== undefined).map(publish) }),
    ...(properties && { properties: publishEach(properties) }),
    ...(propertyNames && { propertyNames: publish(propertyNames) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : publish(additionalProperties),
    }),
  }
}

function publishEach(settings: Record<string, SettingSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, publish(setting)]),
  )
}
