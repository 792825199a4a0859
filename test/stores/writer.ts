/** Another process at a store: adds numbered records until it is told to stop, or killed. */
import { once } from 'node:events'

import { openStore } from '../../src/stores/open.ts'

const [directory, name, count] = process.argv.slice(2)
const store = await openStore(`file:${directory}`, { cwd: '/' })
const records = store.records<number>('things', { listed: true })
for (let index = 0; index < Number(count); index += 1) {
  await records.set(`${name}-${index}`, index)
  if (!process.stdout.write(`${index}\n`)) await once(process.stdout, 'drain')
}
await store.close()
