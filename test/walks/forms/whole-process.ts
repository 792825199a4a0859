export const MiB = 1024 * 1024

export const onLinux = process.platform === 'linux'

export function accountAt(url: string) {
  const models = { m: 'm' }
  return [{ id: 'one', provider: 'forms', baseUrl: `${url}/v1`, apiKey: 'account-key', models }]
}
