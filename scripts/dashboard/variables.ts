import type * as grafana from '@grafana/schema'

import type { Json } from './json.ts'
import { datasource } from './panels.ts'

/** Grafana reads `definition`, which its type lacks. */
type Variable = Json<grafana.VariableModel> & { readonly definition?: string }

const refreshWithTime = 2
const naturalAscending = 7

/** The variables of the dashboard, in the order of their use by each other. */
export const variables: Variable[] = [
  {
    type: 'datasource',
    name: 'datasource',
    label: 'Data source',
    description: 'The Prometheus that scrapes the gateways.',
    query: 'prometheus',
    regex: '',
    hide: 0,
    refresh: 1,
    multi: false,
    includeAll: false,
    options: [],
  },
  // Other programs have metrics of these names, too: a job is that of gateways.
  values('job', 'Job', 'The jobs of Prometheus with gateways.', 'dragoman_build_info', 'job'),
  {
    ...values(
      'instance',
      'Gateway',
      'Gateways: processes with their workers.',
      'dragoman_build_info{job=~"$job"}',
      'instance',
    ),
    allValue: '.*',
  },
  {
    ...values(
      'account',
      'Account',
      'The accounts of the row "Accounts".',
      'dragoman_account_available{job=~"$job", instance=~"$instance"}',
      'account',
    ),
    allValue: '.*',
  },
  {
    // Look-ups name no model: all models are also those without one.
    ...values(
      'model',
      'Model',
      'The models of calls: names and patterns of the configuration.',
      'gen_ai_server_request_duration_seconds_count{job=~"$job", instance=~"$instance"}',
      'gen_ai_request_model',
    ),
    allValue: '.*',
  },
]

/** A variable with the values of a label. */
function values(
  name: string,
  label: string,
  description: string,
  series: string,
  of: string,
): Variable {
  const query = `label_values(${series}, ${of})`
  return {
    type: 'query',
    name,
    label,
    description,
    datasource,
    definition: query,
    query: { qryType: 1, query, refId: `variable-${name}` },
    regex: '',
    hide: 0,
    refresh: refreshWithTime,
    sort: naturalAscending,
    multi: true,
    includeAll: true,
    options: [],
    current: { selected: true, text: ['All'], value: ['$__all'] },
  }
}
