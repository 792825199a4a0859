/** Another process at a store: it asks many times at once, writes which holds it has, and keeps them until it is killed. */
import { openStore } from '../../../src/stores/open.ts'
import { patiently } from '../patiently.ts'
import { ask, budget } from './limits.ts'

const [url, name, count, most, amount, expiresMs] = process.argv.slice(2)
const store = await openStore(String(url), { cwd: '/' })
const meter = store.meter()
const limit = budget(Number(most))
// So that all processes ask at the same time.
await patiently(() => meter.read('key:a', [limit]))
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
const answers = await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    const hold = `${name}-${index}`
    const one = ask(hold, limit, Number(amount), { floor: 2, expiresMs: Number(expiresMs) })
    return { hold, admitted: (await meter.admit(one)).admitted }
  }),
)
const admitted = answers.flatMap((one) => (one.admitted ? one.hold : []))
const [first] = admitted
if (first !== undefined) {
  await meter.settle({ subject: 'key:a', hold: first, charges: [{ limit, amount: 7 }] })
}
process.stdout.write(`${JSON.stringify(admitted)}\n`)
setInterval(() => {}, 60_000)
