import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { configurationJsonSchema, settingsSchema, typesSchema } from './json-schema.ts'
import { renderSettings } from './settings-tables.ts'
import { renderTypes } from './types.ts'

/** A committed file that `npm run generate` writes. */
export interface GeneratedFile {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly text: string
}

const root = join(import.meta.dirname, '../..')
const page = 'docs/configuration.md'
const begin = '<!-- settings:begin -->'
const end = '<!-- settings:end -->'

/** The files that are generated from the schema of the configuration. */
export function generatedFiles(): GeneratedFile[] {
  return [
    {
      path: 'schema/dragoman.config.schema.json',
      text: `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`,
    },
    { path: 'src/configuration/config.generated.ts', text: renderTypes(typesSchema()) },
    { path: page, text: withSettings(readFileSync(join(root, page), 'utf8')) },
  ]
}

/** Replaces the tables between the markers of the page; the other text is written by hand. */
function withSettings(text: string): string {
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`${page} needs ${begin} and then ${end}.`)
  const tables = renderSettings(settingsSchema())
  return `${text.slice(0, before + begin.length)}\n${tables}\n${text.slice(after)}`
}
