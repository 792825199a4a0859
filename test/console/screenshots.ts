// `npm run screenshots`: takes the pictures of docs/console.md, of a gateway behind whose accounts the sandbox stands.
// `npm run screenshots -- FOLDER`: all pages, light and dark, wide and small, for those who change them.
import { mkdir, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'

import type { View } from './console-page.ts'
import { everyPage } from './every-page.ts'
import type { Fixture } from './fixture.ts'
import type { Seen } from './gateway.ts'

// The pictures do not name the machine on which they are taken.
os.hostname = () => 'gateway-1'
syncBuiltinESMExports()
const { startFixture } = await import('./fixture.ts')

/** A picture of the docs. */
interface Picture {
  readonly name: string
  readonly path: (seen: Seen) => string
  readonly view?: View
}

const pictures: readonly Picture[] = [
  { name: 'account', path: () => 'accounts/openai-spare' },
  { name: 'call', path: ({ retriedId }) => `calls/${retriedId}` },
  { name: 'explain', path: () => 'explain?keyId=search&dialect=chat&model=fast' },
  { name: 'key', path: () => 'keys/search' },
  { name: 'usage', path: () => 'usage?span=3h' },
  // The last ones, so that their charts have something to show.
  { name: 'overview', path: () => 'overview' },
  { name: 'phone', path: () => 'overview', view: { width: 390, height: 844, theme: 'dark' } },
]

/** The most bytes of a picture: the docs go with the package. */
const mostBytes = 170_000

const root = join(import.meta.dirname, '../..')
const [folder] = process.argv.slice(2)

await using fixture = await startFixture({ isBusy: folder === undefined })
await using _traffic = startTraffic(fixture)
if (folder === undefined) await takeDocs(join(root, 'docs/console'))
else await takeAll(folder)

async function takeDocs(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const { name, path, view } of pictures) {
    await using opened = await fixture.open({ role: 'admin', ...view, path: path(fixture.seen) })
    const { page } = opened
    const bytes = await shot(page)
    if (bytes.length > mostBytes) throw new Error(`${name} has ${bytes.length} bytes.`)
    await writeFile(join(to, `${name}.png`), bytes)
  }
}

async function takeAll(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const theme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await using opened = await fixture.open({ role: 'admin', theme, width, height: 900 })
      for (const { path } of everyPage(fixture.seen)) {
        await opened.go(path)
        const name = path.replaceAll('/', '-').replace(/req_.*/, (id) => id.slice(-4))
        await writeFile(join(to, `${name}-${theme}-${width}.png`), await shot(opened.page))
        for (const finding of await opened.axe())
          console.log(`${path} ${theme} ${width}: ${finding}`)
      }
      for (const fault of opened.faults) console.log(`${theme} ${width}: ${fault}`)
    }
}

/** Charts and transitions need a moment. */
async function shot(page: {
  waitForTimeout(ms: number): Promise<void>
  screenshot(): Promise<Buffer>
}) {
  await page.waitForTimeout(700)
  return page.screenshot()
}

/** Some calls a second, and a few streams in flight. */
function startTraffic({ call }: Fixture): AsyncDisposable {
  const end = new AbortController()
  const models = ['gpt-5.4', 'gpt-5.4-mini', 'best', 'gemini-3-pro-preview', 'fast']
  const keys = ['search', 'chat', 'agents']
  let number = 0
  const one = () => {
    number++
    const model = models[number % models.length]!
    const body = { model, stream: true, messages: [{ role: 'user', content: 'Summarise it.' }] }
    const steer = number % 4 === 0 ? 'words=300; pace=60' : `words=${20 + (number % 30)}; pace=4`
    void call({ key: keys[number % keys.length]!, body, steer, signal: end.signal })
      .then((response) => response.text())
      .catch(() => {})
  }
  const timer = setInterval(one, 400)
  return {
    [Symbol.asyncDispose]() {
      clearInterval(timer)
      end.abort()
      return Promise.resolve()
    },
  }
}
