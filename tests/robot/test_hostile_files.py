"""Files that mean harm or are merely strange: entity bombs, endless files, depth, encodings, declarations."""

import tracemalloc

import pytest

import motionkit as mk
from motionkit.robot import _xml

GOOD = '<robot name="r"><link name="a"/></robot>'


def load(tmp_path, data):
    path = tmp_path / "r.urdf"
    path.write_bytes(data)
    return mk.RobotModel.from_urdf(path)


BOMBS = {
    "billion laughs": '<!DOCTYPE r [<!ENTITY a0 "ha">'
    + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12))
    + ']><robot name="&a11;"><link name="&a11;"/></robot>',
    "quadratic blowup": f'<!DOCTYPE r [<!ENTITY a "{"x" * 100000}">]><robot name="{"&a;" * 20000}"/>',
    "external entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><robot name="r">&x;</robot>',
    "external subset": f'<!DOCTYPE robot SYSTEM "http://127.0.0.1:9/r.dtd">{GOOD}',
    "parameter entity": '<!DOCTYPE r [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]>' + GOOD,
    "harmless": f"<!DOCTYPE robot>{GOOD}",
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_doctype_is_refused_before_an_entity_is_expanded(name, encoding, tmp_path):
    tracemalloc.start()
    with pytest.raises(mk.FileUnreadable, match="DOCTYPE"):
        load(tmp_path, BOMBS[name].encode(encoding))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6


def test_the_line_of_the_doctype_is_told(tmp_path):
    with pytest.raises(mk.FileUnreadable, match=r"r\.urdf:3: a DOCTYPE") as info:
        load(tmp_path, b'<?xml version="1.0"?>\n\n<!DOCTYPE robot>\n' + GOOD.encode())
    assert info.value.line == 3


def test_depth_is_bounded(tmp_path):
    with pytest.raises(mk.FileUnreadable, match="nested too deeply"):
        load(tmp_path, b'<robot name="r">' + b"<a>" * 100000 + b"</a>" * 100000 + b"</robot>")


def test_size_is_bounded_and_an_endless_file_is_not_read_to_its_end(tmp_path, monkeypatch):
    with pytest.raises(mk.FileUnreadable, match="at most 64 MiB"):
        mk.RobotModel.from_urdf("/dev/zero")
    with pytest.raises(mk.FileUnreadable, match="1000000 tags"):
        load(tmp_path, b'<robot name="r">' + b"<a/>" * 1000001 + b"</robot>")


def test_lines_beyond_65535_are_counted(tmp_path):
    with pytest.raises(mk.InvalidModel) as info:
        load(tmp_path, b'<robot name="r">' + b"\n" * 70000 + b"<link/></robot>")
    assert info.value.findings[0].line == 70001


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8"])
def test_byte_order_marks(encoding, tmp_path):
    assert load(tmp_path, GOOD.replace('"r"', '"Arm\u00e9"').encode(encoding)).name == "Armé"
    assert mk.RobotModel.from_urdf("\ufeff" + GOOD).name == "r"


def test_other_encodings_must_say_so(tmp_path):
    named = GOOD.replace('"r"', '"Arm\u00e9"').encode("iso-8859-1")
    assert load(tmp_path, b'<?xml version="1.0" encoding="iso-8859-1"?>' + named).name == "Armé"
    with pytest.raises(mk.FileUnreadable, match="save it as UTF-8"):
        load(tmp_path, named)


def test_blank_lines_before_the_declaration(tmp_path):
    text = '\n\n<?xml version="1.0" encoding="utf-8"?>\n<robot name="r"><link/></robot>'
    with pytest.raises(mk.InvalidModel) as info:  # a text in quotes often starts so
        mk.RobotModel.from_urdf(text)
    assert info.value.findings[0].line == 4
    with pytest.raises(mk.FileUnreadable, match="delete what stands before <\\?xml"):
        load(tmp_path, text.encode())


def test_a_namespace_of_the_whole_robot_is_taken_off():
    text = GOOD.replace("<robot ", '<robot xmlns="http://www.ros.org" ')
    assert mk.RobotModel.from_urdf(text).links[0].name == "a"


def test_comments_and_cdata_are_no_content():
    text = '<robot name="r"><!-- <link name="x"/> --><link name="a"><![CDATA[<joint/>]]></link></robot>'
    assert [link.name for link in mk.RobotModel.from_urdf(text).links] == ["a"]


def test_all_places_of_xacro_are_counted():
    text = '<robot name="${n}"><link name="${a}"/><link name="$(arg b)"/></robot>'
    with pytest.raises(mk.InvalidModel, match="and 2 more places; run xacro on it first"):
        mk.RobotModel.from_urdf(text)


def test_limits_are_far_above_real_files():
    """The largest file of the public collections has 211 kB and 6337 tags."""
    assert _xml.LARGEST > 100 * 210777
    assert _xml.MOST_ELEMENTS > 100 * 6337
