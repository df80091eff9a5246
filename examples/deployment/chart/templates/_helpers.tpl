{{- define "gantry.name" -}}
{{- if eq .Release.Name .Chart.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-gantry" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Takes root and part, server or migration: services must not find pods of migrations. */}}
{{- define "gantry.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "gantry.labels" -}}
{{ include "gantry.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "gantry.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gantry.container" -}}
image: {{ printf "%s:%s" .Values.image.repository .Values.image.tag | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{- toYaml .Values.resources | nindent 2 }}
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/gantry, readOnly: true }
  - { name: data, mountPath: /var/lib/gantry }
  - { name: tmp, mountPath: /tmp }
env:
  - { name: GANTRY_ENV_FILE, value: /run/secrets/gantry/gantry.env }
  - { name: GANTRY_DATA, value: /var/lib/gantry/data }
  - { name: GANTRY_URL, value: {{ .Values.url | quote }} }
  - { name: GANTRY_BUCKET, value: {{ .Values.bucket | quote }} }
  - { name: GANTRY_GRACE, value: {{ .Values.graceSeconds | quote }} }
  {{- with .Values.trustedProxies }}
  - { name: GANTRY_TRUSTED_PROXIES, value: {{ . | quote }} }
  {{- end }}
  {{- range $name, $value := .Values.env }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
{{- end }}

{{/* Takes the name of the secret. */}}
{{- define "gantry.volumes" -}}
- name: secrets
  secret: { secretName: {{ . | quote }}, defaultMode: 0400 }
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
{{- end }}
