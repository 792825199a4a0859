import type { SettingSchema } from './json-schema.ts'
import { showDefault, showType } from './cells.ts'

/** The settings of one object of a configuration. */
interface Group {
  /** As in `uploads.storages.NAME.`; empty for the top level. */
  readonly prefix: string
  readonly schema: SettingSchema
}

const header = '| setting | type | default | description |\n|---|---|---|---|'

/** Every setting, in one table for each object of a configuration, as Markdown. */
export function renderSettings(schema: SettingSchema): string {
  // Two objects with the same settings have one table, at the place of the first.
  const firsts = new Map<string, Group>()
  for (const group of groupsOf({ prefix: '', schema })) {
    if (!firsts.has(textOf(group))) firsts.set(textOf(group), group)
  }
  return [...firsts.values()]
    .map((group) => `${headingOf(group.prefix)}\n\n${tableOf(group, firsts)}`)
    .join('\n\n')
}

function textOf({ schema }: Group): string {
  return JSON.stringify(schema.properties)
}

function headingOf(prefix: string): string {
  return prefix === '' ? '### Top level' : `### \`${prefix.slice(0, -1)}\``
}

function tableOf({ prefix, schema }: Group, firsts: ReadonlyMap<string, Group>): string {
  const { properties = {}, required = [] } = schema
  const rows = Object.entries(properties).map(([name, setting]) => {
    const path = `${prefix}${name}`
    const fallback = required.includes(name) ? 'required' : showDefault(setting)
    const [group] = groupsBelow(path, setting)
    const below = group && firsts.get(textOf(group))
    const type = below ? `[${showType(setting)}](#${anchorOf(below)})` : showType(setting)
    return [`\`${path}\``, type, fallback, setting.description ?? '']
  })
  return [header, ...rows.map((row) => `| ${row.map(escapeCell).join(' | ')} |`)].join('\n')
}

/** The anchor that code hosts derive from a heading. */
function anchorOf({ prefix }: Group): string {
  return prefix.toLowerCase().replaceAll(/[^a-z]/g, '')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** An object, followed by the objects within it, depth first. */
function groupsOf(group: Group): Group[] {
  const below = Object.entries(group.schema.properties ?? {}).flatMap(([name, setting]) =>
    groupsBelow(`${group.prefix}${name}`, setting),
  )
  return [group, ...below]
}

function groupsBelow(path: string, setting: SettingSchema): Group[] {
  const { items, additionalProperties: values, anyOf = [] } = setting
  const object = [setting, ...anyOf].find(({ properties }) => properties)
  if (object) return groupsOf({ prefix: `${path}.`, schema: object })
  if (items?.properties) return groupsOf({ prefix: `${path}[].`, schema: items })
  if (typeof values === 'object' && values.properties) {
    return groupsOf({ prefix: `${path}.NAME.`, schema: values })
  }
  return []
}
