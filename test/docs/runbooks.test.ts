import { expect, test } from 'vitest'

import { readDashboard } from '../deploy/dashboards/grafana.ts'
import { readRules } from '../deploy/dashboards/rules.ts'
import { openPage } from './pages.ts'

const page = openPage('docs/runbooks.md')
const headings = Array.from(page.text.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading)

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
