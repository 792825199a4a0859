import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { buildSchema, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'

import { commands } from '../../src/cli/commands.ts'
import { parseCommandLine } from '../../src/cli/parse.ts'
import { run } from '../../src/cli/run.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { openPlace } from '../cli/dragoman.ts'
import { readDashboard } from '../deploy/dashboards/grafana.ts'
import { readRules } from '../deploy/dashboards/rules.ts'
import { metricsStage } from '../telemetry/metrics/stage.ts'
import { openPage, repository } from './pages.ts'

const page = openPage('docs/runbooks.md')
const headings = Array.from(page.text.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading)

/** The command lines of the page, without those of other programs. */
const commandLines = [
  ...page
    .blocks('sh')
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npm ')),
  ...Array.from(page.text.matchAll(/`(npm start --\s[^`]+)`/g), ([, line = '']) => line),
].map((line) => wordsOf(line.replace(/^npm start --\s/, '')))

test('each alert has its section, in the order of the rules, and no section is without an alert', () => {
  expect(headings).toEqual(readRules().alerts.map(({ alert }) => alert))
})

test.each(headings)('%s: the section says all that an operator needs', (heading) => {
  const section = page.section(heading)
  for (const part of ['Means', 'Affects', 'Look', 'Do', 'Ends'])
    expect(section).toContain(`**${part}**`)
})

test('the panels that the page names are on the dashboard', () => {
  const rows = new Map<string, string[]>()
  let panels: string[] = []
  for (const { type, title } of readDashboard().panels) {
    if (type === 'row') rows.set(title, (panels = []))
    else panels.push(title)
  }
  const named = Array.from(
    page.text.matchAll(/\*([A-Z][^*\n]+)\*:\s((?:"[^"]+"(?: and )?)+)/g),
    ([, row = '', list = '']) =>
      Array.from(list.matchAll(/"([^"]+)"/g), ([, title = '']) => [
        row,
        title.replaceAll('\n', ' '),
      ]),
  ).flat()
  expect(named.length).toBeGreaterThan(10)
  const missing = named.filter(([row = '', title = '']) => !rows.get(row)?.includes(title))
  expect(missing).toEqual([])
})

describe('the commands and queries of the page', () => {
  test('exist, with their options', () => {
    expect(commandLines.length).toBeGreaterThan(10)
    for (const words of commandLines)
      expect(parseCommandLine(words, commands).command, words.join(' ')).toBeDefined()
    const acts = commandLines.filter(([, verb = '']) => /^(?:disable|forget|revoke)$/.test(verb))
    expect(acts.length).toBeGreaterThan(2)
    for (const words of acts) expect(words).toContain('--reason')
  })

  test('fit the schema of the admin API', () => {
    const schema = buildSchema(readFileSync(join(repository, 'schema.graphql'), 'utf8'))
    const queries = Array.from(
      page.text.matchAll(/^```graphql\n([^]*?)^```$/gm),
      ([, text = '']) => text,
    )
    expect(queries.length).toBeGreaterThan(3)
    for (const query of queries) expect(validate(schema, parse(query)), query).toEqual([])
  })

  test('answer at a gateway, for a viewer', async () => {
    await using stage = await metricsStage({
      accounts: [{ id: 'openai-1', provider: 'openai', apiKey: 'x', models: ['gpt-*'] }],
      keys: [{ id: 'team-a', secret: 'secret-of-team-a' }],
    })
    const looks = commandLines.filter(
      ([noun, verb]) => noun === 'explain' || noun === 'healthcheck' || verb === 'list',
    )
    const names = new Set(looks.map(([noun = '']) => noun))
    expect([...names].toSorted()).toEqual(['accounts', 'explain', 'healthcheck', 'jobs'])
    await using place = await openPlace()
    await place.write('operator-token', `${stage.token}\n`)
    const exported = page.blocks('sh')[0]?.match(/DRAGOMAN_ADMIN_TOKEN="(.+)"/)?.[1]
    const env = {
      DRAGOMAN_ADMIN_URL: stage.adminUrl,
      DRAGOMAN_ADMIN_TOKEN: exported?.replace('$PWD', place.path) ?? '',
    }
    for (const words of looks) {
      const addressed = words.map((word) => word.replace('http://127.0.0.1:8788', stage.adminUrl))
      let printed = ''
      const sink = {
        writableLength: 0,
        write(text: string, callback?: () => void) {
          printed += text
          callback?.()
          return true
        },
      }
      const terminal = createTerminal({ stdout: sink, stderr: sink, env, cwd: repository })
      expect({ code: await run(addressed, terminal), printed }).toMatchObject({ code: 0 })
    }
  })
})

/** The words of a command line. */
function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word]) => quoted ?? word ?? '')
}
