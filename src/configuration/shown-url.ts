/** Stands for a path that may be secret. */
const hiddenPath = '/...'

/**
 * A URL as operators see it, wherever it is shown: without what may be secret in it, which is user, password,
 * query, and a path of more than a version. `file:DIR` and `memory:` are no such URLs.
 */
export function shownUrl(url: string): string {
  const [, scheme, rest] = /^([a-z][a-z+]*:\/\/)(.*)$/is.exec(url) ?? []
  if (scheme === undefined || rest === undefined) return url
  const [, authority = '', path = ''] = /^([^/?#]*)([^?#]*)/s.exec(rest) ?? []
  const hosts = authority.slice(authority.lastIndexOf('@') + 1)
  return `${scheme}${hosts}${/^\/?$|^\/v\d\w{0,8}\/?$/.test(path) ? path : hiddenPath}`
}

/** Whether a URL is one that `shownUrl` has made of another. */
export function isHiddenUrl(url: string): boolean {
  return url.endsWith(hiddenPath)
}
