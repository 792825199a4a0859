import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { openDesk, respond } from './desk.ts'

// Each of these starts a process.
vi.setConfig({ testTimeout: 60_000 })

/** Writes the addresses of all modules that a process loads into a file. */
const spy = `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({
  load(url, context, next) {
    appendFileSync(process.env.LOADED, url + '\\n')
    return next(url, context)
  },
})`

test('no command on a running gateway, and no check, loads GraphQL: a terminal does not wait for it', async () => {
  await using desk = await openDesk()
  await desk.place.write('spy.mjs', spy)
  await respond(desk)
  for (const [words, env] of [
    ['check', {}],
    ['bindings list --key test', desk.env('viewer')],
    ['keys create remote', desk.env()],
  ] as const) {
    const file = join(desk.place.path, `loaded-${words.replaceAll(/\W/g, '-')}`)
    const spied = { NODE_OPTIONS: `--import ${desk.place.path}/spy.mjs`, LOADED: file }
    const { code, stderr } = await desk.place.run(words, { ...env, ...spied })
    expect({ code, words }, stderr).toEqual({ code: 0, words })
    const loaded = (await readFile(file, 'utf8')).split('\n')
    expect(loaded.length).toBeGreaterThan(10)
    const isGraphQL = (url: string) => /node_modules\/(?:graphql|@pothos|graphql-yoga)\//.test(url)
    expect(loaded.filter(isGraphQL)).toEqual([])
  }
})
