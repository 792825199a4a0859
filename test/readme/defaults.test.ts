import { expect, test } from 'vitest'

import { defaults } from '../../src/configuration/settings.ts'
import { readmeText } from './readme.ts'

/** What the README's table of settings says of one. */
function rowOf(setting: string): string {
  return new RegExp(`^\\| \`${setting}\` \\|.*$`, 'm').exec(readmeText)?.[0] ?? ''
}

function inBytes(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024
  return mebibytes < 1024 ? `${mebibytes} MiB` : `${mebibytes / 1024} GiB`
}

test.each(Object.entries(defaults.timeouts))(
  'the README gives %s of the timeouts its default, %i',
  (name, milliseconds) => {
    expect(rowOf('timeouts')).toContain(`\`${name}\` (${milliseconds.toLocaleString('en-US')}: `)
  },
)

test.each(Object.entries(defaults.limits))(
  'the README gives %s of the limits its default, %i',
  (name, limit) => {
    const shown = name.endsWith('Bytes') ? inBytes(limit) : String(limit)
    expect(rowOf('limits')).toMatch(new RegExp(`\`${name}\` \\(${shown}[;: )]`))
  },
)
