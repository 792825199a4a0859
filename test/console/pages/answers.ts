import type { Page } from 'playwright-core'

/** What the gateway seems to answer: nothing, what it answers really, or a body of GraphQL. */
export type Answer = 'away' | 'real' | object

/** Answers an operation of a page in the gateway's place. */
export async function answerWith(
  page: Page,
  operation: string,
  first: Answer,
): Promise<{ next(answer: Answer): void }> {
  let answer = first
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON() as { operationName?: string } | null
    if (body?.operationName !== operation || answer === 'real') return route.fallback()
    if (answer === 'away') return route.abort('connectionrefused')
    await route.fulfill({ json: answer })
  })
  return { next: (next) => void (answer = next) }
}

/** Changes the data of an operation, or the whole answer, on their way from the gateway to a page. */
export async function changeAnswer(
  page: Page,
  operation: string,
  change: (data: Data, answer: { extensions?: object }) => void,
): Promise<void> {
  await page.route('**/graphql', async (route) => {
    const body = route.request().postDataJSON() as { operationName?: string } | null
    if (body?.operationName !== operation) return route.fallback()
    const response = await route.fetch().catch(() => undefined)
    const answer = response?.json() as Promise<{ data: Data; extensions?: object }> | undefined
    const json = await answer?.catch(() => undefined)
    // The page is left.
    if (!response || !json) return
    change(json.data, json)
    await route.fulfill({ response, json })
  })
}

/** The data of an answer, whose fields a test names. */
// oxlint-disable-next-line typescript/no-explicit-any -- Tests change what the schema has checked elsewhere.
export type Data = any
