import { expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { openPlace } from './dragoman.ts'

const broken = `import { defineConfig } from 'dragoman'
export default defineConfig({
  plugins: [{ name: 'guard', onevents() {} }, { name: 'x', onCall: 3 }, { name: 'x' }, { name: 'access-log' }],
})`

const paths = ['plugins[0].onevents', 'plugins[1].onCall', 'plugins[2].name', 'plugins[3].name']

test.each(dailyRows(['check', 'serve --port 0 --admin-port 0']))(
  '`%s` tells of every plugin that cannot work, and of what it would stand in the way of',
  async (command) => {
    await using place = await openPlace()
    await place.write('dragoman.config.ts', broken)

    const { code, stderr } = await place.run(command)

    expect(code).toBe(3)
    expect([...stderr.matchAll(/^ {2}(\S+)$/gm)].map(([, path]) => path)).toEqual(paths)
    expect(stderr).toContain('is "access-log", which is also the name of a plugin of the gateway')
  },
)
