// Part of `npm run test:console`: every page in every view and state.
import { type TestContext, afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type Role, roles } from '../../../src/admin/roles.ts'
import { type AdminGateway, startAdminGateway } from '../../admin/admin-gateway.ts'
import { launchBrowser } from '../../admin/http/browser.ts'
import { noteChecked } from '../checked.ts'
import { type ConsoleAddress, type ConsolePage, openConsolePage } from '../console-page.ts'
import { type PageRow, everyPage, openPages } from '../every-page.ts'
import { buildConsole } from '../built.ts'
import { type SeededGateway, startSeededGateway } from '../gateway.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'
import { excessOf, wrongOn } from '../walk.ts'
import { closeAll, openDialogs, titleOf } from './dialogs.ts'
import { storeThings } from './stored.ts'

let seeded: SeededGateway
let empty: AdminGateway
let slow: StandIn
let refusing: StandIn
let actId: string
let browser: Awaited<ReturnType<typeof launchBrowser>>
let started: AsyncDisposableStack
beforeAll(async () => {
  await buildConsole()
  started = new AsyncDisposableStack()
  seeded = started.use(await startSeededGateway())
  actId = await storeThings(seeded.gateway)
  empty = started.use(await startAdminGateway({ keys: [] }))
  slow = started.use(await startStandIn({ delayMs: Infinity }))
  refusing = started.use(await startStandIn({ refusal }))
  browser = started.use(await launchBrowser())
}, 120_000)
afterAll(() => started.disposeAsync())

const refusal = { status: 503, code: 'STORE_UNAVAILABLE', message: 'The store cannot answer.' }

const themes = ['light', 'dark'] as const
const views = roles.flatMap((role) => [1280, 390].map((width) => ({ role, width })))

/** The dialogs that the roles have seen. */
const dialogs: Record<Role, Set<string>> = {
  viewer: new Set(),
  operator: new Set(),
  admin: new Set(),
}

/** A walk over the pages in one view. */
interface Walk {
  readonly context: Pick<TestContext, 'task'>
  readonly opened: ConsolePage
  readonly found: string[]
}

/** Walks over pages in a view, and expects that nothing is wrong on them. */
async function walk(
  context: Pick<TestContext, 'task'>,
  address: ConsoleAddress,
  { role, width }: (typeof views)[number],
  visit: (walk: Walk) => Promise<void>,
): Promise<void> {
  await using opened = await openConsolePage(browser, address, {
    role,
    width,
    height: width < 600 ? 844 : 800,
    path: 'playground',
    reducedMotion: true,
    waits: false,
    keepsStreams: true,
  })
  await opened.page.locator('h1').waitFor()
  const found: string[] = []
  await visit({ context, opened, found })
  expect(found).toEqual([])
}

/** Examines what is shown, in both themes. */
async function examine(
  { context, opened, found }: Walk,
  state: string,
  what: string,
): Promise<void> {
  for (const theme of themes) {
    await opened.page.emulateMedia({ colorScheme: theme })
    for (const finding of await opened.axe()) found.push(`${what}, ${state}, ${theme}: ${finding}`)
    noteChecked(context, state)
  }
}

/** Visits pages in a state that all of them have, and examines each. */
async function examinePages(
  walk: Walk,
  state: 'full' | 'empty' | 'loading' | 'error',
  rows: readonly PageRow[],
): Promise<void> {
  const { opened, found } = walk
  for (const row of rows) {
    await opened.visit(row.path, { waits: state !== 'loading' })
    await examine(walk, state, row.path)
    const wrong = [
      ...(await wrongOn(opened, row, seeded.canaries)),
      ...(await excessOf(opened)),
    ].filter((one) => state !== 'error' || !one.startsWith('console: Failed to load resource'))
    found.push(...wrong.map((one) => `${row.path}, ${state}: ${one}`))
  }
}

describe.concurrent.for(views)('to the role $role at $width pixels', (view) => {
  test('each page is accessible, breaks no policy and shows no secret', async (context) => {
    await walk(context, seeded.gateway, view, (one) =>
      examinePages(one, 'full', [...everyPage(seeded.seen), ...openPages(seeded.seen)]),
    )
  })

  test('each page of an empty gateway is accessible', async (context) => {
    await walk(context, empty, view, (one) => examinePages(one, 'empty', everyPage(seeded.seen)))
  })

  test('each page that waits for its answer is accessible', async (context) => {
    await walk(context, slow, view, (one) => examinePages(one, 'loading', everyPage(seeded.seen)))
  })

  test('each page whose answer is refused is accessible', async (context) => {
    await walk(context, refusing, view, (one) => examinePages(one, 'error', everyPage(seeded.seen)))
  })

  test('the palette is accessible over each page', async (context) => {
    await walk(context, seeded.gateway, view, async (one) => {
      const { page, visit } = one.opened
      for (const { path } of everyPage(seeded.seen)) {
        await visit(path)
        await page.keyboard.press('Control+k')
        const palette = page.getByRole('dialog', { name: 'Command palette' })
        await palette.getByRole('option', { name: 'gemini-night' }).waitFor()
        await examine(one, 'palette', path)
        await page.keyboard.type('no such name')
        await palette.getByText('Nothing of this name').waitFor()
        for (const finding of await one.opened.axe()) one.found.push(`${path}, palette: ${finding}`)
        await closeAll(page)
      }
    })
  })

  test('each dialog is accessible, opens by a key, and gives the focus back', async (context) => {
    await walk(context, seeded.gateway, view, async (one) => {
      const { page, visit } = one.opened
      const titles = dialogs[view.role]
      const examineDialog = async (path: string, title: string) => {
        await examine(one, 'dialog', `${path}, ${title}`)
        // A viewer changes nothing but its own session.
        if (view.role !== 'viewer' || title.startsWith('End your session')) return
        const asks = await page.getByRole('dialog').getByLabel('Reason', { exact: true }).count()
        if (asks > 0) one.found.push(`${path}: ${title}`)
      }
      const act = { name: 'Audit', path: `audit?open=${actId}` }
      for (const { path } of [
        ...everyPage(seeded.seen),
        ...openPages(seeded.seen),
        ...stored,
        act,
      ]) {
        await visit(path)
        const first = await titleOf(page)
        if (first !== undefined) {
          titles.add(first)
          await examineDialog(path, first)
        }
        const seen = new Set(first === undefined ? [] : [first])
        const lost = await openDialogs(
          {
            page,
            look: (title) => examineDialog(path, title),
            restart: () => (first === undefined ? closeAll(page) : visit(path)),
          },
          seen,
        )
        for (const title of seen) titles.add(title)
        // What the address has opened has no button.
        if (first === undefined)
          one.found.push(...lost.map((name) => `${path}: the focus is lost after ${name}`))
        await closeAll(page)
      }
    })
  })
})

/** Pages of what is in the store: its acts are open to admins. */
const stored: readonly PageRow[] = [
  { name: 'stored', path: 'accounts/stored' },
  { name: 'stored', path: 'keys/stored' },
  { name: 'Models', path: 'models?open=deep' },
  { name: 'Teams', path: 'teams?team=stored' },
  { name: 'Prices', path: 'prices?show=priced' },
  { name: 'Prices', path: `prices?open=${encodeURIComponent('stored    STORE')}` },
  { name: 'Limits', path: `limits?limit=${encodeURIComponent('key:stored:cost:day')}` },
]

/** An hour without midnight near it: figures of today begin there. */
const timezoneId = new Date().getUTCHours() < 12 ? 'Etc/GMT-6' : 'UTC'

test.each(['overview', 'accounts', 'calls'])('a reader hears of %s what it shows', async (path) => {
  await using standIn = await startStandIn()
  await using opened = await openConsolePage(browser, standIn, { path, timezoneId })
  const { page } = opened
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  const heard = await page.locator('main').ariaSnapshot()
  const timeless = heard
    .replaceAll(/\d\d:\d\d:\d\d/g, 'hh:mm:ss')
    .replaceAll(/<?[\d.]+ m?s\b/g, 'n s')
  await expect(`${timeless}\n`).toMatchFileSnapshot(`heard/${path}.txt`)
})

/** One dialog of each act. */
const acts = [
  'Add an account',
  'Ask for',
  'Change',
  'Create',
  'Delete',
  'Disable',
  'Drain',
  'Enable',
  'Forget',
  'Grant',
  'Make a key',
  'Reload',
  'Remove',
  'Reset',
  'Reset the circuits of',
  'Revoke',
  'Rotate',
  'Set',
  'Start a capture',
]

test('the dialogs of each act were examined; a role has the acts that it may do', () => {
  const { viewer, operator, admin } = dialogs
  const hasAct = (titles: Set<string>, act: string) =>
    [...titles].some((title) => title.startsWith(act))
  expect(acts.filter((act) => !hasAct(admin, act))).toEqual([])
  expect(['Disable', 'Enable', 'Forget', 'Reload'].filter((act) => !hasAct(operator, act))).toEqual(
    [],
  )
  const onlyAdmin = ['Add', 'Create', 'Delete', 'Drain', 'Revoke', 'Rotate', 'Set', 'Start']
  expect(onlyAdmin.filter((act) => hasAct(operator, act) || hasAct(viewer, act))).toEqual([])
  console.log(`${admin.size} dialogs, for operators ${operator.size}, for viewers ${viewer.size}`)
})
