import { type HostileGateway, startCommand } from './gateway.ts'
import { accountCount, madeUp, manyAccounts, scopedKey, smallCalls } from './many-accounts.ts'
import { allowedMemory, allowedStall, check, isChosen, keys, send, shown } from './rows.ts'

/** Small calls to a gateway with ten thousand accounts: the first ones of it, and those after them. */
export async function amongManyAccounts(account: string): Promise<void> {
  const chosen = Object.entries(smallCalls).filter(([name]) => isChosen(name))
  if (chosen.length === 0 && !isChosen(madeUpNames)) return
  await using gateway = await startCommand({
    keys: [...keys, scopedKey],
    accounts: manyAccounts(account),
  })
  for (const [name, { path, body, status: expected, isScoped }] of [...chosen, ...chosen]) {
    const { secret } = isScoped ? scopedKey : keys[0]!
    await gateway.mark()
    const response = await fetch(gateway.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    const measures = await gateway.mark()
    check(
      response.status === expected && measures.stall < allowedStall,
      `${name} among ${accountCount} accounts: ${response.status}, ${shown(measures)}`,
    )
  }
  if (isChosen(madeUpNames)) await callsOfMadeUpNames(gateway)
}

const madeUpNames = 'calls of made-up models'
const madeUpCalls = 1_500

/** Names of models that clients make up, each of which all accounts have by a pattern. */
async function callsOfMadeUpNames(gateway: HostileGateway): Promise<void> {
  const statuses = new Set<number>()
  await gateway.mark()
  for (let at = 0; at < madeUpCalls; at++) {
    statuses.add(await send(gateway, Buffer.from(madeUp(at))))
  }
  const measures = await gateway.mark()
  check(
    statuses.size === 1 &&
      statuses.has(200) &&
      measures.stall < allowedStall &&
      measures.memory < allowedMemory,
    `${madeUpCalls} ${madeUpNames} among ${accountCount} accounts: ${[...statuses].join(', ')}, ${shown(measures)}`,
  )
}
