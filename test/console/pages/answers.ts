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
