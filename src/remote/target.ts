import { RemoteFailure } from './failure.ts'

/**
 * What an URL must look like before anybody is asked for its host. The address is not looked at
 * here: `dial` checks the one that it connects to, and addresses in strange spellings are plain ones
 * once the URL is parsed.
 */
export function checkTarget(url: URL | null, allowHttp: boolean): asserts url is URL {
  if (url === null) throw new RemoteFailure('it is not a valid URL')
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    throw new RemoteFailure(`its URL must be ${allowHttp ? 'http or https' : 'https'}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new RemoteFailure('its URL must not contain credentials')
  }
}
