// Parts of the queries in PromQL. The variables of the dashboard choose gateways, accounts and models.

/** The series of a metric that the variables choose. `matchers`: further ones. */
export function of(metric: string, ...matchers: readonly string[]): string {
  return `${metric}{${['job=~"$job"', 'instance=~"$instance"', ...matchers].join(', ')}}`
}

/** Matchers of the variables for accounts and models. */
export const ofAccount = 'account=~"$account"'
export const ofModel = 'gen_ai_request_model=~"$model"'
export const ofPool = 'pool=~"$model"'

/** Matches requests of clients: neither probes nor unknown paths. */
export const isCall = 'http_route!~"|/livez|/readyz"'

/** Matches failures that no client caused by its request. */
export const isFailure =
  'error_type!~"|40[04-9]|41.|42[1-8]|431|451|49.|invalid_value|context_length_exceeded|content_filter|content_policy_violation|moderation_blocked|previous_response_not_found"'

/** The sum of rates per second, for each value of the labels in `by`. */
export function perSecond(by: string, metric: string, ...matchers: readonly string[]): string {
  return `sum${byClause(by)}(rate(${of(metric, ...matchers)}[$__rate_interval]))`
}

/** The sum of what was added in the time that the dashboard shows. */
export function inRange(by: string, metric: string, ...matchers: readonly string[]): string {
  return `sum${byClause(by)}(increase(${of(metric, ...matchers)}[$__range]))`
}

/** A quantile of a histogram, for each value of the labels in `by`. */
export function quantile(
  share: number,
  by: string,
  histogram: string,
  ...matchers: readonly string[]
): string {
  const labels = ['le', by].filter((label) => label !== '').join(', ')
  return `histogram_quantile(${share}, ${perSecond(labels, `${histogram}_bucket`, ...matchers)})`
}

/** The same of all that was observed in the time that the dashboard shows. */
export function quantileInRange(
  share: number,
  by: string,
  histogram: string,
  ...matchers: readonly string[]
): string {
  return `histogram_quantile(${share}, ${inRange(`le, ${by}`, `${histogram}_bucket`, ...matchers)})`
}

/** The queries of three quantiles. */
export function quantiles(histogram: string, ...matchers: readonly string[]) {
  return [0.5, 0.95, 0.99].map((share) => ({
    expr: quantile(share, '', histogram, ...matchers),
    legend: `P${share * 100}`,
  }))
}

/** 0 where nothing has been counted. */
export function orZero(expression: string): string {
  return `(${expression} or vector(0))`
}

/** Replies that failed: the status is 5xx, or the reply broke off behind a status of success. */
export function failedCalls(): string {
  const requests = 'http_server_request_duration_seconds_count'
  const refused = perSecond('', requests, isCall, 'http_response_status_code=~"5.."')
  const broken = perSecond(
    '',
    requests,
    isCall,
    'http_response_status_code=~"2.."',
    'error_type!=""',
  )
  return `(${orZero(refused)} + ${orZero(broken)})`
}

/** Tokens of a kind. */
export function tokensPerSecond(by: string, kind: 'input' | 'output'): string {
  return perSecond(by, 'gen_ai_client_token_usage_sum', ofModel, `gen_ai_token_type="${kind}"`)
}

function byClause(by: string): string {
  return by === '' ? '' : ` by (${by}) `
}
