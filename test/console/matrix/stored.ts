import { type AdminGateway, type Page, nodesOf } from '../../admin/admin-gateway.ts'

/**
 * Stores one thing of each kind that admins may change, named `stored`: what the configuration has cannot be changed.
 * Resolves with the id of the last act in the audit log.
 */
export async function storeThings(gateway: AdminGateway): Promise<string> {
  for (const act of acts) {
    const { data, errors } = await gateway.graph<Record<string, { __typename: string }>>(
      `mutation { ${act} { __typename } }`,
    )
    const [end] = Object.values(data ?? {})
    if (!end?.__typename.endsWith('Success'))
      throw new Error(`${act}: ${JSON.stringify(end ?? errors)}`)
  }
  const { data } = await gateway.graph<Acts>('{ audit(first: 1) { edges { node { id } } } }')
  return nodesOf(data.audit)[0]!.id
}

interface Acts {
  readonly audit: Page<{ readonly id: string }>
}

const acts = [
  'createAccount(input: {id: "stored", provider: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1", models: ["stored"]})',
  'createTeam(input: {id: "stored", name: "Stored"})',
  'createKey(input: {id: "stored", team: "stored"})',
  'createAdminToken(input: {id: "stored", role: VIEWER})',
  'setAlias(input: {name: "deep", model: "stored"})',
  'setPrice(input: {model: "stored", rates: {input: "1", output: "2"}})',
  'setLimit(input: {subject: {type: KEY, id: "stored"}, kind: COST, window: "day", amount: "5"})',
]
