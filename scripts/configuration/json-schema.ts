import { z } from 'zod'

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

/** The schema of configurations, with the metadata of each setting. */
export function settingsSchema(): SettingSchema {
  return z.toJSONSchema(configSchema, {
    target: 'draft-7',
    io: 'input',
    // A `Date` and a plugin exist only in code.
    unrepresentable: 'any',
  }) as SettingSchema
}

/** The JSON Schema of configuration files in JSON and YAML. */
export function configurationJsonSchema(): JsonSchema {
  const { properties = {}, ...rest } = publish(settingsSchema())
  return {
    title: 'Configuration of Dragoman',
    ...rest,
    // Plugins are code; an empty list is accepted.
    properties: { ...properties, plugins: { ...properties['plugins'], maxItems: 0 } },
  }
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
