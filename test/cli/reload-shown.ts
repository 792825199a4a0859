export const token = 'an-admin-token-of-this-test-0123456789'

export function configuration(weight: unknown, losses = 'drop'): string {
  const account = { id: 'one', provider: 'openai', apiKey: 'k', models: ['m'], weight }
  return JSON.stringify({ losses, accounts: [account] })
}
