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
  secret?: boolean
  url?: boolean
  defaultText?: string
  unit?: string
  /** The type in TypeScript, of a value that exists only in code. */
  typescript?: string
}

/** The schema of configurations in code, with the metadata of each setting. */
export function typesSchema(): SettingSchema {
  return schemaOf(() => {})
}

/** The same in JSON and YAML, which have no `Date` and no plugin as an object. */
export function settingsSchema(): SettingSchema {
  return schemaOf((setting) => {
    const alternatives: SettingSchema[] | undefined = setting.anyOf
    const members = alternatives?.filter(({ typescript }) => typescript === undefined)
    if (!members || members.length === alternatives?.length) return
    const [only, ...others] = members
    setting.anyOf = members
    if (!only || others.length > 0) return
    delete setting.anyOf
    Object.assign(setting, only)
  })
}

function schemaOf(simplify: (setting: SettingSchema) => void): SettingSchema {
  const schema = z.toJSONSchema(configSchema, {
    target: 'draft-7',
    io: 'input',
    // A `Date` exists only in code.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The default of a group follows from its settings.
      if (jsonSchema.properties) delete jsonSchema.default
      simplify(jsonSchema as SettingSchema)
    },
  })
  return schema as SettingSchema
}

/** The JSON Schema of configuration files in JSON and YAML. */
export function configurationJsonSchema(): JsonSchema {
  return { title: 'Configuration of Dragoman', ...publish(settingsSchema()) }
}

/** Converts metadata to keywords of JSON Schema, in all parts of a schema. */
function publish(setting: SettingSchema): JsonSchema {
  const { expected: _, hidden: _hidden, secret: _secret, url: _url, ...shown } = setting
  const { description, unit, defaultText, example, default: value, ...rest } = shown
  const { items, anyOf, properties, propertyNames, additionalProperties, maximum, ...own } = rest
  const sentences = [
    description,
    unit && `Unit: ${unit}.`,
    defaultText && `Default: ${defaultText}.`,
  ].filter(Boolean)
  return {
    ...(sentences.length > 0 && { description: sentences.join(' ') }),
    ...own,
    ...(value !== undefined && !defaultText && { default: value }),
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(example !== undefined && { examples: [example] }),
    ...(items && { items: publish(items) }),
    ...(anyOf && { anyOf: anyOf.map(publish) }),
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
