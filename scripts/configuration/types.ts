import type { SettingSchema } from './json-schema.ts'

const header = `// Generated from the schema of the configuration: change that, and run \`npm run generate\`.
import type { GatewayPlugin } from '../contract/plugin.ts'
`

const footer = `
/** Identity, for types and completion in \`dragoman.config.ts\`. */
export function defineConfig(config: Config): Config {
  return config
}
`

/** The module with `Config`, whose members have the descriptions of the settings for editors. */
export function renderTypes(schema: SettingSchema): string {
  const interfaces = new Map<string, string>()
  const description =
    'The configuration as a user writes it. Flags (`--port`) go before the environment (`DRAGOMAN_PORT`), which goes before this file.'
  typeOf({ ...schema, description }, [], {
    interfaces,
    topLevel: Object.keys(schema.properties ?? {}),
  })
  const texts = [...interfaces].map(([body, name]) =>
    body.replace('interface {', `export interface ${name} {`),
  )
  return [header, ...texts.toReversed()].join('\n') + footer
}

/** What the types of all settings share. */
interface Context {
  /** The names of interfaces by their texts. */
  readonly interfaces: Map<string, string>
  /** The names of the settings of the top level. */
  readonly topLevel: readonly string[]
}

/** The type of a setting. Adds the interfaces that it names. */
function typeOf(setting: SettingSchema, path: readonly string[], context: Context): string {
  const { typescript, enum: values, const: value, anyOf, items, properties, type } = setting
  const { additionalProperties: members } = setting
  if (typescript !== undefined) return typescript
  if (values) return values.map((one) => literal(one)).join(' | ')
  if (value !== undefined) return literal(value)
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one, path, context)))].join(' | ')
  if (items) {
    const item = typeOf(items, singular(path), context)
    return `readonly ${item.includes(' ') ? `(${item})` : item}[]`
  }
  if (properties) return interfaceOf(setting, path, context)
  if (typeof members !== 'object') return type === 'integer' ? 'number' : String(type)
  const isUnknown = Object.keys(members).length === 0
  const member = isUnknown ? 'unknown' : typeOf(members, singular(path), context)
  return `Readonly<Record<string, ${member}>>`
}

function interfaceOf(
  setting: SettingSchema,
  path: readonly string[],
  { interfaces, topLevel }: Context,
): string {
  const { properties = {}, required = [] } = setting
  const members = Object.entries(properties).map(([name, member]) => {
    const type = typeOf(member, [...path, name], { interfaces, topLevel })
    const typed = required.includes(name) ? `: ${type}` : `?: ${type} | undefined`
    return `${comment(member, '  ')}  ${name}${typed}\n`
  })
  const text = `${path.length === 0 ? comment(setting, '') : ''}interface {\n${members.join('')}}\n`
  const known = interfaces.get(text)
  if (known !== undefined) return known
  const last = path.slice(-1)
  const words = last.some((name) => topLevel.includes(name)) ? path : last
  const name = `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Config`
  interfaces.set(text, name)
  return name
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

/** The path of an entry of `accounts`: `account`. */
function singular(path: readonly string[]): readonly string[] {
  return path.map((name, index) =>
    index === path.length - 1 ? name.replace(/(?<=s)es$|s$/, '') : name,
  )
}

/** What an editor shows: the description, without links within the pages, and the default. */
function comment(setting: SettingSchema, indent: string): string {
  const { description = '', default: value, defaultText, unit } = setting
  const text = description
    .replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const shown = defaultText ?? (value === undefined ? undefined : `\`${JSON.stringify(value)}\``)
  const sentences = [text, unit && `Unit: ${unit}.`, shown && `Default: ${shown}.`].filter(Boolean)
  if (sentences.length === 0) return ''
  const lines = wrapped(sentences.join(' '), 110 - indent.length)
  const [only] = lines.length === 1 ? lines : []
  if (only !== undefined) return `${indent}/** ${only} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
