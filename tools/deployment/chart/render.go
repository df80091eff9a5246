// Renders a chart with the libraries that Helm renders with: text/template, sprig and sigs.k8s.io/yaml.
// Usage: render CHART RELEASE VALUES_FILE, which prints the objects and the notes as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type rendered struct {
	Objects []interface{} `json:"objects"`
	Notes   string        `json:"notes"`
}

func main() {
	result, err := render(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(result)
}

func render(folder, release, values string) (*rendered, error) {
	var chart, own map[string]interface{}
	if err := read(filepath.Join(folder, "Chart.yaml"), &chart); err != nil {
		return nil, err
	}
	if err := read(values, &own); err != nil {
		return nil, err
	}
	// Helm names the fields of Chart.yaml as its own type does.
	facts := map[string]interface{}{}
	for name, value := range chart {
		facts[strings.ToUpper(name[:1])+name[1:]] = value
	}
	scope := map[string]interface{}{
		"Values":  own,
		"Chart":   facts,
		"Release": map[string]interface{}{"Name": release, "Namespace": "sites", "Service": "Helm"},
	}
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// Helm leaves these out: a chart must not depend on the machine that renders it.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all.Funcs(functions)
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if _, err := all.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	result := &rendered{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text strings.Builder
		if err := all.ExecuteTemplate(&text, name, scope); err != nil {
			return nil, err
		}
		if name == "NOTES.txt" {
			result.Notes = text.String()
			continue
		}
		for _, document := range strings.Split(text.String(), "\n---\n") {
			var object interface{}
			if err := yaml.UnmarshalStrict([]byte(document), &object); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			if object != nil {
				result.Objects = append(result.Objects, object)
			}
		}
	}
	return result, nil
}

func read(path string, into interface{}) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}
