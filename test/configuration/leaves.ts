import type { SettingSchema } from '../../scripts/configuration/json-schema.ts'

/** A setting that is no object of further settings. */
export interface Leaf {
  /** `keys[].models`; the values of a map stand below `[]` as well. */
  readonly path: string
  readonly setting: SettingSchema
  readonly isRequired: boolean
}

export function leavesOf(schema: SettingSchema, path = ''): Leaf[] {
  const { properties = {}, items, additionalProperties: values, required = [] } = schema
  const members = [...(items ? [items] : []), ...(typeof values === 'object' ? [values] : [])]
  const named = Object.entries(properties).flatMap(([name, setting]) => {
    const leaf = { path: path + name, setting, isRequired: required.includes(name) }
    return [...(setting.properties ? [] : [leaf]), ...leavesOf(setting, `${path}${name}.`)]
  })
  return [...named, ...members.flatMap((member) => leavesOf(member, path.replace(/\.$/, '[].')))]
}
