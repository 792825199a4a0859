{{- define "dragoman.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 56 | trimSuffix "-" }}
{{- end }}

{{/* At most 56 characters, so that `-admin` fits behind it. */}}
{{- define "dragoman.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 56 | trimSuffix "-" }}
{{- else if contains (include "dragoman.name" .) .Release.Name }}
{{- .Release.Name | trunc 56 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "dragoman.name" .) | trunc 56 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* At most 63 characters. */}}
{{- define "dragoman.metricsName" -}}
{{- printf "%s-metrics" (include "dragoman.fullname" . | trunc 55 | trimSuffix "-") }}
{{- end }}

{{- define "dragoman.selectorLabels" -}}
app.kubernetes.io/name: {{ include "dragoman.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "dragoman.labels" -}}
{{ include "dragoman.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "dragoman.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "dragoman.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "dragoman.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* The configuration of the values, with what the chart knows. */}}
{{- define "dragoman.config" -}}
{{- $config := deepCopy .Values.config }}
{{- if eq .Values.store.kind "redis" }}
{{- $_ := set $config "store" "env:REDIS_URL" }}
{{- $uploads := deepCopy (get $config "uploads" | default dict) }}
{{- if not (hasKey $uploads "directory") }}
{{- $_ := set $config "uploads" (set $uploads "directory" false) }}
{{- end }}
{{- else if eq .Values.store.kind "file" }}
{{- $_ := set $config "store" "file:/data/store" }}
{{- else }}
{{- $_ := set $config "store" "memory:" }}
{{- end }}
{{- if not .Values.admin.enabled }}
{{- $_ := set $config "admin" false }}
{{- else if .Values.admin.exposed }}
{{- $admin := deepCopy (get $config "admin" | default dict) }}
{{- $name := printf "%s-admin" (include "dragoman.fullname" .) }}
{{- $names := list $name }}
{{- if .Values.metrics.token.secretName }}
{{- $names = append $names (include "dragoman.metricsName" .) }}
{{- end }}
{{- $hosts := list }}
{{- range $names }}
{{- $hosts = concat $hosts (list . (printf "%s.%s" . $.Release.Namespace) (printf "%s.%s.svc" . $.Release.Namespace)) }}
{{- end }}
{{- $_ := set $admin "allowedHosts" (concat $hosts (get $admin "allowedHosts" | default list) | uniq) }}
{{- if .Values.metrics.token.secretName }}
{{- $token := dict "id" "metrics" "role" "viewer" "secret" "env:METRICS_TOKEN" }}
{{- $_ := set $admin "tokens" (append (get $admin "tokens" | default list) $token) }}
{{- end }}
{{- $_ := set $config "admin" $admin }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{/* What the schema cannot say: values that do not go together. */}}
{{- define "dragoman.check" -}}
{{- if eq .Values.store.kind "redis" }}
{{- if not .Values.store.redis.url.secretName }}
{{- fail "store.redis.url.secretName: name the Secret with the URL of Redis" }}
{{- end }}
{{- else if or .Values.autoscaling.enabled (gt (int .Values.replicas) 1) }}
{{- fail (printf "store.kind: several pods cannot share the store %q: use redis" .Values.store.kind) }}
{{- end }}
{{- if and (eq .Values.store.kind "memory") (gt (int .Values.workers) 1) }}
{{- fail "workers: several processes cannot share the store \"memory\"" }}
{{- end }}
{{- if .Values.admin.exposed }}
{{- if not .Values.admin.enabled }}
{{- fail "admin.exposed: admin.enabled is false" }}
{{- end }}
{{- if not .Values.admin.token.secretName }}
{{- fail "admin.token.secretName: an admin address that other pods reach needs a token" }}
{{- end }}
{{- end }}
{{- if and .Values.metrics.token.secretName (not .Values.admin.exposed) }}
{{- fail "metrics.token: needs admin.exposed" }}
{{- end }}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.metrics.token.secretName) }}
{{- fail "metrics.token.secretName: Prometheus needs a token of the role viewer" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) }}
{{- fail "ingress.hosts: name the hosts of the API" }}
{{- end }}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) }}
{{- fail "autoscaling.minReplicas: is greater than autoscaling.maxReplicas" }}
{{- end }}
{{- if and .Values.autoscaling.enabled (not .Values.autoscaling.inFlight.enabled) (not .Values.autoscaling.cpuUtilization) }}
{{- fail "autoscaling: name a metric, inFlight or cpuUtilization" }}
{{- end }}
{{- if not (kindIs "invalid" .Values.drainDelaySeconds) }}
{{- if gt (addf .Values.drainDelaySeconds 5) (float64 .Values.terminationGracePeriodSeconds) }}
{{- fail "terminationGracePeriodSeconds: must be greater than drainDelaySeconds and the 5 s to close" }}
{{- end }}
{{- end }}
{{- end }}
