import { expect, test } from 'vitest'

import { defaults } from '../../src/configuration/settings.ts'
import { openPage } from './pages.ts'

const { text } = openPage('docs/configuration.md')

/** The row of a setting in the table of settings. */
function rowOf(setting: string): string {
  return new RegExp(`^\\| \`${setting}\` \\|.*$`, 'm').exec(text)?.[0] ?? ''
}

function inBytes(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024
  return mebibytes < 1024 ? `${mebibytes} MiB` : `${mebibytes / 1024} GiB`
}

test.each(Object.entries(defaults.timeouts))(
  'the page gives %s of the timeouts its default, %i',
  (name, milliseconds) => {
    expect(rowOf('timeouts')).toContain(`\`${name}\` (${milliseconds.toLocaleString('en-US')}: `)
  },
)

test.each(Object.entries(defaults.limits))(
  'the page gives %s of the limits its default, %i',
  (name, limit) => {
    const shown = name.endsWith('Bytes') ? inBytes(limit) : String(limit)
    expect(rowOf('limits')).toMatch(new RegExp(`\`${name}\` \\(${shown}[;: )]`))
  },
)
